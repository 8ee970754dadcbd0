import { WEEK_MS } from '@/lib/core/units';
import type { QueryInput } from '@/lib/contract/define-endpoint';
import type { listAssets } from '@/lib/contract/assets/asset-endpoints';
import type { listStreams } from '@/lib/contract/streams/stream-endpoints';

/**
 * Keys of the query cache. The server uses these keys to prefill the cache of a page, so this file has no browser code.
 *
 * The keys of one kind of object form a tree, so that a key that is invalidated covers the keys below it: `assetsKey` covers
 * all queries about assets, `assetListsKey` all pages of lists, `assetListKey(query)` one page of a list, and
 * `oneAssetKey(id)` one asset.
 */

/** Query of one page of a list. Without a limit the API returns up to 10,000 objects. */
export type PageQuery<E> = QueryInput<E> & { readonly limit: string };

export type StreamListQuery = PageQuery<typeof listStreams>;

export const streamsKey = ['streams'] as const;
export const streamListsKey = [...streamsKey, 'list'] as const;
export const streamListKey = (query: StreamListQuery) => [...streamListsKey, query] as const;
export const oneStreamKey = (id: string) => [...streamsKey, 'one', id] as const;

export const streamViewersKey = (id: string, minutes: string) =>
  [...streamsKey, 'viewers', id, minutes] as const;
export const testPatternKey = (id: string) => [...streamsKey, 'test-pattern', id] as const;
/**
 * Key of the preview token of a stream or asset. It is not below the keys of the object: a new token would restart the
 * player.
 */
export const previewKey = (id: string) => ['previews', id] as const;
/** Time after which a preview token is requested again: half of the time for which it works. */
export const PREVIEW_STALE_TIME_MS = WEEK_MS / 2;

export type AssetListQuery = PageQuery<typeof listAssets>;

export const assetsKey = ['assets'] as const;
export const assetListsKey = [...assetsKey, 'list'] as const;
export const assetListKey = (query: AssetListQuery) => [...assetListsKey, query] as const;
export const oneAssetKey = (id: string) => [...assetsKey, 'one', id] as const;

export const oneSessionKey = (id: string) => ['sessions', 'one', id] as const;
export const oneWebhookKey = (id: string) => ['webhooks', 'one', id] as const;

export const apiKeysKey = ['api-keys'] as const;
export const teamsKey = ['teams'] as const;
export const ingestsKey = ['ingests'] as const;
export const nodesKey = ['nodes'] as const;
export const overviewKey = ['overview'] as const;
