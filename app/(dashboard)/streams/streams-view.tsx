'use client';

import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useAddresses } from '../_data/addresses';
import { useStreamListState } from './use-stream-list-state';
import { NoStreams } from './no-streams';
import { CreateStream } from './create-stream';
import { copyOfStream } from './copy-of-stream';
import { DeleteStream } from './delete-stream';
import { Chips } from '@/components/ui/chips';
import { ListPager } from '@/components/ui/list-pager';
import { ListToolbar } from '@/components/ui/list-toolbar';
import { LoadFailed } from '@/components/ui/load-failed';
import { PageHeader } from '@/components/ui/page-header';
import { streamFilters, streamListQueryOf } from '@/components/streams/stream-list-query';
import { StreamTable } from '@/components/streams/stream-table';
import { useStreams } from '@/lib/client/queries';
import { useViewers } from '@/lib/client/viewer-queries';
import type { Stream } from '@/lib/contract/stream';

const REFRESH_MS = 3000;
const THUMBNAIL_MS = 10_000;
const VIEWERS_MS = 5000;

export function StreamsView() {
  const router = useRouter();
  const addresses = useAddresses();
  const { state, change } = useStreamListState();
  const list = useStreams(streamListQueryOf(state), { refetchInterval: REFRESH_MS });
  const watched = useViewers(VIEWERS_MS);
  const [doomed, setDoomed] = useState<Stream | null>(null);

  const page = list.data;
  const filtered = state.search !== '' || state.filter !== 'all';
  const empty = page?.items.length === 0 && !state.cursor;

  return (
    <>
      <PageHeader
        title="Streams"
        description="Each stream has its own key to publish with and its own address to watch at."
        action={<CreateStream onCreated={(stream) => router.push(`/streams/${stream.id}`)} />}
      />
      {!(empty && !filtered) && (
        <ListToolbar
          what="streams"
          search={state.search}
          onSearch={(search) => change({ search, cursor: null }, 'replace')}
        >
          <Chips
            label="Filter streams"
            value={state.filter}
            options={streamFilters}
            onChange={(value) =>
              change({
                filter: streamFilters.find((each) => each.value === value)?.value ?? 'all',
                cursor: null,
              })
            }
          />
        </ListToolbar>
      )}
      {list.isError && !page ? (
        <LoadFailed what="The streams" error={list.error} onRetry={() => void list.refetch()} />
      ) : empty ? (
        <NoStreams
          filtered={filtered}
          baseUrl={addresses?.base}
          onClear={() => change({ search: '', filter: 'all', cursor: null })}
        />
      ) : (
        <StreamTable
          streams={page?.items}
          sort={state.sort}
          descending={state.descending}
          onSort={(field) =>
            change({
              sort: field,
              descending: field === state.sort ? !state.descending : field !== 'name',
              cursor: null,
            })
          }
          thumbnailOf={({ playbackId }) =>
            addresses &&
            `${addresses.thumbnailUrl(playbackId)}?at=${Math.floor(list.dataUpdatedAt / THUMBNAIL_MS)}`
          }
          viewersOf={({ id }) =>
            watched.data && (watched.data.find(({ streamId }) => streamId === id)?.viewers ?? 0)
          }
          onCopy={(what, stream) => void copyOfStream(what, stream, addresses)}
          onDelete={setDoomed}
        />
      )}
      {page && !empty && (
        <ListPager
          summary={summaryOf(page.total)}
          onFirst={state.cursor ? () => change({ cursor: null }) : undefined}
          onNext={page.nextCursor ? () => change({ cursor: page.nextCursor }) : undefined}
        />
      )}
      <DeleteStream stream={doomed} onClose={() => setDoomed(null)} />
    </>
  );
}

function summaryOf(total: number | null): string {
  if (total === null) return '';
  return total === 1 ? '1 stream' : `${total.toLocaleString('en')} streams`;
}
