'use client';

import { useCallback, useMemo, useState, type ComponentProps } from 'react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { useCopyValue } from '@/components/ui/copy/use-copy-value';
import { useListState } from '@/components/ui/table/use-list-state';
import { useSelection } from '@/components/ui/table/use-selection';
import { EmptyStreamList } from './no-streams';
import { CreateStreamDialog } from '@/components/streams/list/create-stream';
import { DeleteStreamDialog } from '@/components/streams/settings/delete-stream';
import { StreamBulkActions } from '@/components/streams/list/stream-bulk-actions';
import { FilterChips } from '@/components/ui/form/chips';
import { ListContent } from '@/components/ui/table/list-content';
import { ListToolbar, ViewToggle } from '@/components/ui/table/list-controls';
import { ALL_FILTER_VALUE, isEmptyList, hasActiveFilters, sortedBy } from '@/components/ui/table/list-state';
import { PageHeader } from '@/components/ui/page-header';
import { streamFilters, streamListQueryOf, streamListOptions } from '@/components/streams/list/stream-list';
import { StreamGrid, StreamTable } from '@/components/streams/list/stream-table';
import { useStreams } from '@/lib/client/queries/stream-queries';
import { readWholeStreamList, useBulkStreams } from '@/lib/client/queries/stream-bulk';
import { useLiveThumbnails, useAllViewers } from '@/lib/client/queries/stream-watch-queries';
import { useHasRole } from '@/components/teams/use-team';
import type { Stream } from '@/lib/contract/streams/stream';

const REFRESH_INTERVAL_MS = 3000;
const THUMBNAIL_INTERVAL_MS = 10_000;
const VIEWERS_REFRESH_MS = 5000;

export function StreamsView() {
  const t = useTranslations('streams.streamsView');
  const router = useRouter();
  const urls = usePublicUrls();
  const copyValue = useCopyValue('stream');
  const { state, filterKey, updateListState, setFilter } = useListState(streamListOptions);
  const query = streamListQueryOf(state);
  const bulk = useBulkStreams();
  const list = useStreams(query, { refetchInterval: bulk.progress ? false : REFRESH_INTERVAL_MS });
  const viewerCounts = useAllViewers(VIEWERS_REFRESH_MS).data;
  const page = list.data;
  const liveStreams = useMemo(() => page?.items.filter(({ isActive }) => isActive) ?? [], [page?.items]);
  const thumbnailVersion =
    liveStreams.length > 0 ? Math.floor(list.dataUpdatedAt / THUMBNAIL_INTERVAL_MS) : 0;
  const thumbnailOf = useLiveThumbnails(liveStreams, urls, thumbnailVersion);
  const viewersOf = useCallback(
    ({ id }: Stream) => viewerCounts && (viewerCounts.find(({ streamId }) => streamId === id)?.viewers ?? 0),
    [viewerCounts],
  );
  const selection = useSelection({ page, filterKey, loadAll: () => readWholeStreamList(query) });
  const [streamToDelete, setStreamToDelete] = useState<Stream | null>(null);

  const mayChange = useHasRole('developer');
  const isFiltered = hasActiveFilters(state);
  const isEmpty = isEmptyList(page, state);
  const tableProps: ComponentProps<typeof StreamGrid> = {
    streams: page?.items,
    selection: mayChange ? selection.tableSelection : undefined,
    thumbnailOf,
    viewersOf,
    onCopy: (kind, { id, playbackId }) =>
      void copyValue(kind, { id, playbackUrl: urls?.playbackUrl(playbackId) }, urls),
    onDelete: setStreamToDelete,
  };

  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        action={<CreateStreamDialog onCreated={(stream) => router.push(`/streams/${stream.id}`)} />}
      />
      {!(isEmpty && !isFiltered) && (
        <ListToolbar
          subject={t('streams')}
          search={state.search}
          onSearch={(search) => updateListState({ search }, 'replace')}
        >
          <FilterChips
            label={t('filterStreams')}
            value={state.filters.status ?? ALL_FILTER_VALUE}
            options={streamFilters.map((value) => ({ value, label: t(`filter.${value}`) }))}
            onChange={(value) => setFilter('status', value)}
          />
          <ViewToggle
            view={state.view}
            onChange={(view) => updateListState({ view, cursor: state.cursor }, 'replace')}
          />
        </ListToolbar>
      )}
      <ListContent
        query={list}
        itemsLabel={t('theStreams')}
        state={state}
        formatCount={(count) => t('rowCount', { count })}
        onChange={updateListState}
        empty={
          <EmptyStreamList
            isFiltered={isFiltered}
            baseUrl={urls?.baseUrl}
            onShowAll={() => updateListState({ search: '', filters: {} })}
          />
        }
      >
        {state.view === 'grid' ? (
          <StreamGrid {...tableProps} />
        ) : (
          <StreamTable
            {...tableProps}
            sorting={{ ...state, onSort: (field) => updateListState(sortedBy(state, field)) }}
          />
        )}
      </ListContent>
      <StreamBulkActions
        selection={selection}
        bulk={bulk}
        isIdle={(id) => page?.items.find((stream) => stream.id === id)?.isActive === false}
      />
      <DeleteStreamDialog stream={streamToDelete} onClose={() => setStreamToDelete(null)} />
    </>
  );
}
