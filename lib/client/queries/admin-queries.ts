'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnQuotas } from '@/lib/core/quotas/quota';
import { callEndpoint, callListEndpoint } from '@/lib/client/call';
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
    queryFn: ({ signal }) => callListEndpoint(listAccounts, { query }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Refetches a list after a change, also after a failed one: another process may have changed the list. */
function useInvalidateList(queryKey: readonly string[]) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey });
}

export function useSetSuspended() {
  const onSettled = useInvalidateList(accountsKey);
  return useMutation({
    mutationFn: ({ id, suspended }: { id: string; suspended: boolean }) =>
      callEndpoint(updateAccount, { params: { id }, body: { suspended } }),
    onSettled,
  });
}

export function useRemoveAccount() {
  const onSettled = useInvalidateList(accountsKey);
  return useMutation({
    mutationFn: (id: string) => callEndpoint(removeAccount, { params: { id } }),
    onSettled,
  });
}

export const useTeamQuotas = (teamId: string) =>
  useQuery({
    queryKey: ['admin', 'quotas', teamId],
    queryFn: ({ signal }) => callEndpoint(getTeamQuotas, { params: { id: teamId } }, { signal }),
    // A form that starts with cached values would save outdated quotas.
    gcTime: 0,
  });

export function useSetTeamQuotas() {
  return useMutation({
    mutationFn: ({ teamId, quotas }: { teamId: string; quotas: OwnQuotas }) =>
      callEndpoint(updateTeamQuotas, { params: { id: teamId }, body: quotas }),
  });
}

export const useInvitations = () =>
  useQuery({
    queryKey: invitationsKey,
    queryFn: ({ signal }) => callEndpoint(listInvitations, {}, { signal }),
  });

/** Creates an invitation to this service. Its link is in this response only. */
export function useInvite() {
  const onSettled = useInvalidateList(invitationsKey);
  return useMutation({
    mutationFn: (email: string | null) => callEndpoint(createInvitation, { body: { email } }),
    onSettled,
    gcTime: 0,
  });
}

export function useRevokeInvitation() {
  const onSettled = useInvalidateList(invitationsKey);
  return useMutation({
    mutationFn: (id: string) => callEndpoint(revokeInvitation, { params: { id } }),
    onSettled,
  });
}

/** @param refetchInterval milliseconds */
export const useQueues = (refetchInterval: number) =>
  useQuery({
    queryKey: ['admin', 'queues'],
    queryFn: ({ signal }) => callEndpoint(listQueues, {}, { signal }),
    refetchInterval,
  });

/** @param refetchInterval milliseconds */
export const useServiceStorage = (refetchInterval: number) =>
  useQuery({
    queryKey: ['admin', 'storage'],
    queryFn: ({ signal }) => callEndpoint(getServiceStorage, {}, { signal }),
    refetchInterval,
  });

export const useSettings = () =>
  useQuery({
    queryKey: ['admin', 'settings'],
    queryFn: ({ signal }) => callEndpoint(listSettings, {}, { signal }),
    staleTime: 60_000,
  });
