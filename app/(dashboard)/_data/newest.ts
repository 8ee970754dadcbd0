import type { AssetListQuery, StreamListQuery } from '@/lib/client/query-keys';

// Queries of the lists on the home page. The server sends their results with the page, which then refetches them.

/** Live streams first, then the newest stream. */
export const newestStreams = {
  streamsonly: '1',
  limit: '1',
  order: 'isActive-true,createdAt-true',
} as const satisfies StreamListQuery;

/** The newest assets. */
export const newestAssets = {
  limit: '4',
  order: 'createdAt-true',
} as const satisfies AssetListQuery;
