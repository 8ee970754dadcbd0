'use client';

import type { Stream } from '@/lib/contract/streams/stream';
import { callEndpoint, callListEndpoint } from '@/lib/client/call';
import { wholeListQuery, withoutRows, withChangedRows } from '@/lib/client/list-cache';
import { oneStreamKey, streamListsKey, streamsKey, type StreamListQuery } from '@/lib/client/query-keys';
import { useBulk } from '@/lib/client/use-bulk';
import { deleteStream, listStreams, setStreamRecord, updateStream } from '@/lib/client/routes/streams-routes';

export type StreamBulkAction = 'delete' | { readonly record: boolean } | { readonly suspended: boolean };

export const useBulkStreams = () =>
  useBulk<Stream, StreamBulkAction>({
    listsKey: streamListsKey,
    keysToInvalidate: [streamsKey],
    runOne: runOnStream,
    updatePage: (page, ids, action) =>
      action === 'delete' ? withoutRows(page, ids) : withChangedRows(page, ids, action),
    keyToRemove: (id, action) => (action === 'delete' ? oneStreamKey(id) : null),
  });

function runOnStream(id: string, action: StreamBulkAction): Promise<unknown> {
  const params = { id };
  if (action === 'delete') return callEndpoint(deleteStream, { params });
  return 'record' in action
    ? callEndpoint(setStreamRecord, { params, body: action })
    : callEndpoint(updateStream, { params, body: action });
}

/**
 * Reads the first 1,000 streams of a list, with its filters and order; further ones are left out.
 * @throws ApiCallError
 */
export const readWholeStreamList = async (query: StreamListQuery) =>
  (await callListEndpoint(listStreams, { query: wholeListQuery(query) })).items;
