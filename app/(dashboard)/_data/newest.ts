import type { AssetListQuery, StreamListQuery } from '@/lib/client/query-keys';

/** Lists of the home page: asked by its code, and known already when it arrives. */

/** A live stream comes before newer ones. */
export const newestStreams = {
  streamsonly: '1',
  limit: '1',
  order: 'isActive-true,createdAt-true',
} as const satisfies StreamListQuery;

export const newestAssets = {
  limit: '6',
  order: 'createdAt-true',
} as const satisfies AssetListQuery;
