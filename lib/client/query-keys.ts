import { WEEK_MS } from '@/lib/core/units';
import type { QueryInput } from '@/lib/contract/define-endpoint';
import type { listAssets } from '@/lib/contract/assets/asset-endpoints';
import type { listStreams } from '@/lib/contract/streams/stream-endpoints';

/**
 * Keys of the query cache. All keys about one kind of object start with the same word. The server uses these keys to
 * prefill the cache of a page, so this file has no browser code.
 */

/** Query of one page of a list. Without a limit the API returns up to 10,000 objects. */
export type PageQuery<E> = QueryInput<E> & { readonly limit: string };

export type StreamListQuery = PageQuery<typeof listStreams>;

export const streamsKey = ['streams'] as const;
export const streamListsKey = [...streamsKey, 'list'] as const;
export const streamListKey = (query: StreamListQuery) => [...streamListsKey, query] as const;
export const streamQueryKey = (id: string) => [...streamsKey, 'one', id] as const;

export type AssetListQuery = PageQuery<typeof listAssets>;

export const streamViewersKey = (id: string, minutes: string) =>
  [...streamsKey, 'viewers', id, minutes] as const;
export const testPatternKey = (id: string) => [...streamsKey, 'test-pattern', id] as const;
/**
 * Key of the preview token of a stream or asset. It is not below the keys of the object: a new token would restart the
 * player.
 */
export const previewKey = (id: string) => ['previews', id] as const;
/** Half of the time for which a preview token works. */
export const PREVIEW_FRESH_MS = WEEK_MS / 2;

export const assetsKey = ['assets'] as const;
export const assetListsKey = [...assetsKey, 'list'] as const;
export const assetListKey = (query: AssetListQuery) => [...assetListsKey, query] as const;
export const assetQueryKey = (id: string) => [...assetsKey, 'one', id] as const;

export const sessionQueryKey = (id: string) => ['sessions', 'one', id] as const;
export const webhookQueryKey = (id: string) => ['webhooks', 'one', id] as const;

export const apiKeysKey = ['api-keys'] as const;
export const teamsKey = ['teams'] as const;
export const ingestsKey = ['ingests'] as const;
export const nodesKey = ['nodes'] as const;
export const overviewKey = ['overview'] as const;
