import type { StreamListQuery } from '@/lib/client/query-keys';

/** What the home page shows: asked by its code, and known already when it arrives. */
export const newestStreams = {
  streamsonly: '1',
  limit: '5',
  order: 'createdAt-true',
} as const satisfies StreamListQuery;
