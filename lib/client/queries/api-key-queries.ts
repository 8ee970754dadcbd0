'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '@/lib/contract/define-endpoint';
import { callEndpoint } from '@/lib/client/call';
import { apiKeysKey } from '@/lib/client/query-keys';
import { createApiKey, deleteApiKey, listApiKeys, revealApiKey } from '@/lib/client/routes/accounts-routes';
import type { EndpointOf } from '@/lib/client/routes/route';

export const useApiKeys = () =>
  useQuery({ queryKey: apiKeysKey, queryFn: ({ signal }) => callEndpoint(listApiKeys, {}, { signal }) });

export function useCreateApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<EndpointOf<typeof createApiKey>>) => callEndpoint(createApiKey, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: apiKeysKey }),
  });
}

export function useDeleteApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(deleteApiKey, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: apiKeysKey }),
  });
}

/** The secret is returned to the caller and never cached. */
export const useRevealApiKey = () =>
  useMutation({
    mutationFn: ({ id, password }: { id: string; password: string }) =>
      callEndpoint(revealApiKey, { params: { id }, body: { password } }),
    gcTime: 0,
  });
