'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyInput, QueryInput } from '@/lib/contract/define-endpoint';
import type { AttentionItem, Overview } from '@/lib/contract/accounts/overview';
import { callEndpoint, callListEndpoint } from '@/lib/client/call';
import { overviewKey, type PageQuery } from '@/lib/client/query-keys';
import {
  signUp,
  changePassword,
  deleteAccount,
  endSessions,
  getMe,
  listAuditEntries,
  changeEmail,
  confirmEmail,
  requestPasswordReset,
  resetPassword,
  endBrowserSession,
  listBrowserSessions,
  dismissProblem,
  getOverview,
  getQuotas,
  getUsage,
} from '@/lib/client/routes/accounts-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

export const useSignUp = () =>
  useMutation({ mutationFn: (body: BodyInput<EndpointOf<typeof signUp>>) => callEndpoint(signUp, { body }) });

/** Requests a mail with a link to set a new password. */
export const useRequestPasswordReset = () =>
  useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof requestPasswordReset>>) =>
      callEndpoint(requestPasswordReset, { body }),
  });

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof resetPassword>>) => callEndpoint(resetPassword, { body }),
    gcTime: 0,
  });

export const useConfirmEmail = () =>
  useMutation({ mutationFn: (token: string) => callEndpoint(confirmEmail, { body: { token } }), gcTime: 0 });

export const useChangeEmail = () =>
  useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof changeEmail>>) => callEndpoint(changeEmail, { body }),
    gcTime: 0,
  });

/** The account that is signed in. */
export const useMe = () =>
  useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => callEndpoint(getMe, {}, { signal }),
    staleTime: 60_000,
  });

/** Changes the password. Passwords are never cached. */
export const useChangePassword = () =>
  useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof changePassword>>) =>
      callEndpoint(changePassword, { body }),
    gcTime: 0,
  });

/** Logs this account out in every browser. */
export const useEndSignInSessions = () => useMutation({ mutationFn: () => callEndpoint(endSessions) });

const browserSessionsKey = ['browser-sessions'];

/** The browsers in which this person is signed in. */
export const useBrowserSessions = () =>
  useQuery({
    queryKey: browserSessionsKey,
    queryFn: ({ signal }) => callEndpoint(listBrowserSessions, {}, { signal }),
  });

export function useEndBrowserSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(endBrowserSession, { params: { id } }),
    // Refetch after a failure: another tab may have ended the session.
    onSettled: () => client.invalidateQueries({ queryKey: browserSessionsKey }),
  });
}

export const useDeleteAccount = () =>
  useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof deleteAccount>>) => callEndpoint(deleteAccount, { body }),
    gcTime: 0,
  });

/** One page of the audit log. The previous page stays visible while the next one loads. */
export const useAuditLog = (query: PageQuery<EndpointOf<typeof listAuditEntries>>) =>
  useQuery({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => callListEndpoint(listAuditEntries, { query }, { signal }),
    placeholderData: keepPreviousData,
  });

/**
 * Overview: live streams, problems and the numbers of today.
 * @param refetchInterval milliseconds
 */
export const useOverview = (refetchInterval: number) =>
  useQuery({
    queryKey: overviewKey,
    queryFn: ({ signal }) => callEndpoint(getOverview, {}, { signal }),
    refetchInterval,
  });

/** Dismisses a problem of the overview. It disappears immediately and reappears if the request fails. */
export function useDismissProblem() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof dismissProblem>>) =>
      callEndpoint(dismissProblem, { body }),
    onMutate: async ({ kind, id, name }) => {
      await client.cancelQueries({ queryKey: overviewKey });
      const isDismissed = (item: AttentionItem) => item.kind === kind && item.id === id && item.name === name;
      client.setQueryData<Overview>(
        overviewKey,
        (overview) =>
          overview && {
            ...overview,
            attention: overview.attention.filter((item) => !isDismissed(item)),
            dismissed: [...overview.attention.filter(isDismissed), ...(overview.dismissed ?? [])],
          },
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: overviewKey }),
  });
}

export const useQuotas = () =>
  useQuery({
    queryKey: ['quotas'],
    queryFn: ({ signal }) => callEndpoint(getQuotas, {}, { signal }),
    staleTime: 60_000,
  });

export const useUsage = (query: QueryInput<EndpointOf<typeof getUsage>>) =>
  useQuery({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => callEndpoint(getUsage, { query }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
