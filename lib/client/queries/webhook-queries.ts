'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '@/lib/contract/define-endpoint';
import type { Webhook } from '@/lib/contract/webhooks/webhook';
import { callEndpoint, callListEndpoint } from '@/lib/client/call';
import { oneWebhookKey, type PageQuery } from '@/lib/client/query-keys';
import {
  listWebhookDeliveries,
  replayEvents,
  resendFailedDeliveries,
  rollWebhookSecret,
  sendTestEvent,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  revealWebhookSecret,
  updateWebhook,
  listWebhookLogs,
  resendWebhookLog,
} from '@/lib/client/routes/webhooks-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

const keys = {
  all: ['webhooks'],
  list: ['webhooks', 'list'],
  /** Key of the deliveries of a webhook and their attempts. */
  sent: (webhookId: string) => ['webhooks', 'sent', webhookId],
} as const;

/** Limit of the list of webhooks, as a query parameter. */
const webhookLimit = '1000';
/** Attempts that are loaded, more than one retry schedule of a delivery has. */
const attemptLimit = '100';

export const useWebhooks = () =>
  useQuery({
    queryKey: keys.list,
    queryFn: ({ signal }) =>
      callListEndpoint(listWebhooks, { query: { limit: webhookLimit, order: 'createdAt-true' } }, { signal }),
  });

export const useWebhook = (id: string) =>
  useQuery({
    queryKey: oneWebhookKey(id),
    queryFn: ({ signal }) => callEndpoint(getWebhook, { params: { id } }, { signal }),
    refetchInterval: 10_000,
  });

export function useCreateWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof createWebhook>>) => callEndpoint(createWebhook, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.all }),
  });
}

/** Changes a webhook. Shows the toggle immediately and reverts it if the request fails. */
export function useUpdateWebhook(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof updateWebhook>>) =>
      callEndpoint(updateWebhook, { params: { id }, body }),
    onMutate: async ({ disabled }) => {
      await client.cancelQueries({ queryKey: oneWebhookKey(id) });
      const previousWebhook = client.getQueryData<Webhook>(oneWebhookKey(id));
      if (previousWebhook && disabled !== undefined)
        client.setQueryData(oneWebhookKey(id), { ...previousWebhook, disabled });
      return previousWebhook;
    },
    onError: (_error, _change, previousWebhook) => client.setQueryData(oneWebhookKey(id), previousWebhook),
    onSettled: () => client.invalidateQueries({ queryKey: keys.all }),
  });
}

export function useDeleteWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(deleteWebhook, { params: { id } }),
    onSuccess: (_nothing, id) => {
      client.removeQueries({ queryKey: oneWebhookKey(id) });
      // Not awaited: the page of the deleted webhook would show "not found" before it navigates away.
      void client.invalidateQueries({ queryKey: keys.list });
    },
  });
}

/** One page of deliveries, refetched every two seconds. */
export const useDeliveries = (
  webhookId: string,
  query: PageQuery<EndpointOf<typeof listWebhookDeliveries>>,
) =>
  useQuery({
    queryKey: [...keys.sent(webhookId), 'deliveries', query],
    queryFn: ({ signal }) =>
      callListEndpoint(listWebhookDeliveries, { params: { id: webhookId }, query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 2_000,
  });

export const useAttempts = (webhookId: string, deliveryId: string) =>
  useQuery({
    queryKey: [...keys.sent(webhookId), 'attempts', deliveryId],
    queryFn: ({ signal }) => {
      const filters = JSON.stringify([{ id: 'deliveryId', value: deliveryId }]);
      return callListEndpoint(
        listWebhookLogs,
        { params: { id: webhookId }, query: { limit: attemptLimit, filters } },
        { signal },
      );
    },
    refetchInterval: 2_000,
  });

function useDeliveryMutation<Input, Output>(
  webhookId: string,
  mutationFn: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.sent(webhookId) }),
  });
}

export const useResend = (webhookId: string) =>
  useDeliveryMutation(webhookId, (logId: string) =>
    callEndpoint(resendWebhookLog, { params: { id: webhookId, logId } }),
  );

export const useResendFailed = (webhookId: string) =>
  useDeliveryMutation(webhookId, () => callEndpoint(resendFailedDeliveries, { params: { id: webhookId } }));

export const useReplay = (webhookId: string) =>
  useDeliveryMutation(webhookId, (body: BodyInput<EndpointOf<typeof replayEvents>>) =>
    callEndpoint(replayEvents, { params: { id: webhookId }, body }),
  );

export const useSendTest = (webhookId: string) =>
  useDeliveryMutation(webhookId, (body: BodyInput<EndpointOf<typeof sendTestEvent>>) =>
    callEndpoint(sendTestEvent, { params: { id: webhookId }, body }),
  );

interface PasswordInput {
  /** Id of the webhook. */
  id: string;
  password: string;
}

/** The secrets are returned to the caller and never cached. */
export const useRevealWebhookSecret = () =>
  useMutation({
    mutationFn: ({ id, password }: PasswordInput) =>
      callEndpoint(revealWebhookSecret, { params: { id }, body: { password } }),
    gcTime: 0,
  });

export const useRollWebhookSecret = () =>
  useMutation({
    mutationFn: ({ id, password }: PasswordInput) =>
      callEndpoint(rollWebhookSecret, { params: { id }, body: { password } }),
    gcTime: 0,
  });
