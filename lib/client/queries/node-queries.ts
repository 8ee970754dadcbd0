'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callEndpoint } from '@/lib/client/call';
import { nodesKey } from '@/lib/client/query-keys';
import { listNodes, updateNode } from '@/lib/client/routes/nodes-routes';

/**
 * The nodes of the service, for operators.
 * @param refetchInterval milliseconds
 */
export const useNodes = (refetchInterval: number) =>
  useQuery({
    queryKey: nodesKey,
    queryFn: ({ signal }) => callEndpoint(listNodes, {}, { signal }),
    refetchInterval,
  });

/** Drains the live nodes of a machine, or ends their draining. */
export function useDrainNode() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, draining }: { id: string; draining: boolean }) =>
      callEndpoint(updateNode, { params: { id }, body: { draining } }),
    onSuccess: () => client.invalidateQueries({ queryKey: nodesKey }),
  });
}
