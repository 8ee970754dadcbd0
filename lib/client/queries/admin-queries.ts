'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnQuotas } from '@/lib/core/quotas/quota';
import { call, callList } from '@/lib/client/call';
import type { PageQuery } from '@/lib/client/query-keys';
import {
  getServiceStorage,
  listAccounts,
  listQueues,
  listSettings,
  removeAccount,
  updateAccount,
  createInvitation,
  listInvitations,
  revokeInvitation,
  getTeamQuotas,
  updateTeamQuotas,
} from '@/lib/client/routes/accounts-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

/** Queries and mutations for operators. */

const accountsKey = ['admin', 'accounts'] as const;
const invitationsKey = ['admin', 'invitations'] as const;

export const useManagedAccounts = (query: PageQuery<EndpointOf<typeof listAccounts>>) =>
  useQuery({
    queryKey: [...accountsKey, query],
    queryFn: ({ signal }) => callList(listAccounts, { query }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Refetches a list after a change, also after a failed one: another process may have changed the list. */
function useInvalidate(queryKey: readonly string[]) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey });
}

export function useSetSuspended() {
  const onSettled = useInvalidate(accountsKey);
  return useMutation({
    mutationFn: ({ id, suspended }: { id: string; suspended: boolean }) =>
      call(updateAccount, { params: { id }, body: { suspended } }),
    onSettled,
  });
}

export function useRemoveAccount() {
  const onSettled = useInvalidate(accountsKey);
  return useMutation({ mutationFn: (id: string) => call(removeAccount, { params: { id } }), onSettled });
}

/** @param id of the team */
export const useTeamQuotas = (id: string) =>
  useQuery({
    queryKey: ['admin', 'quotas', id],
    queryFn: ({ signal }) => call(getTeamQuotas, { params: { id } }, { signal }),
    // A form that starts with cached values would save outdated quotas.
    gcTime: 0,
  });

export function useSetTeamQuotas() {
  return useMutation({
    mutationFn: ({ id, quotas }: { id: string; quotas: OwnQuotas }) =>
      call(updateTeamQuotas, { params: { id }, body: quotas }),
  });
}

export const useInvitations = () =>
  useQuery({ queryKey: invitationsKey, queryFn: ({ signal }) => call(listInvitations, {}, { signal }) });

/** Creates an invitation to this service. Its link is in this response only. */
export function useInvite() {
  const onSettled = useInvalidate(invitationsKey);
  return useMutation({
    mutationFn: (email: string | null) => call(createInvitation, { body: { email } }),
    onSettled,
    gcTime: 0,
  });
}

export function useRevokeInvitation() {
  const onSettled = useInvalidate(invitationsKey);
  return useMutation({ mutationFn: (id: string) => call(revokeInvitation, { params: { id } }), onSettled });
}

/** @param refetchInterval milliseconds */
export const useQueues = (refetchInterval: number) =>
  useQuery({
    queryKey: ['admin', 'queues'],
    queryFn: ({ signal }) => call(listQueues, {}, { signal }),
    refetchInterval,
  });

export const useServiceStorage = (refetchInterval: number) =>
  useQuery({
    queryKey: ['admin', 'storage'],
    queryFn: ({ signal }) => call(getServiceStorage, {}, { signal }),
    refetchInterval,
  });

export const useSettings = () =>
  useQuery({
    queryKey: ['admin', 'settings'],
    queryFn: ({ signal }) => call(listSettings, {}, { signal }),
    staleTime: 60_000,
  });
