import type { AssetListQuery, StreamListQuery } from '@/lib/client/query-keys';

// Queries of the lists on the home page. The server sends their results with the page, which then refetches them.

/** One stream: the newest live one, or the newest one if none is live. */
export const newestStreamQuery = {
  streamsonly: '1',
  limit: '1',
  order: 'isActive-true,createdAt-true',
} as const satisfies StreamListQuery;

/** The four newest assets. */
export const newestAssetsQuery = {
  limit: '4',
  order: 'createdAt-true',
} as const satisfies AssetListQuery;
