'use client';

import { SquarePlay } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import {
  recordedFilterValues,
  sessionListQueryOf,
  sessionListOptions,
} from '@/components/sessions/session-list';
import { SessionTable } from '@/components/sessions/session-table';
import { StreamFilter } from '@/components/streams/list/stream-filter';
import { Button } from '@/components/ui/button';
import { FilterChips } from '@/components/ui/form/chips';
import { EmptyState } from '@/components/ui/empty-state';
import { ListContent } from '@/components/ui/table/list-content';
import { ListToolbar } from '@/components/ui/table/list-controls';
import { ALL_FILTER_VALUE, isEmptyList, hasActiveFilters, sortedBy } from '@/components/ui/table/list-state';
import { PageHeader } from '@/components/ui/page-header';
import { useSessions } from '@/lib/client/queries/session-queries';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { useCopyValue } from '@/components/ui/copy/use-copy-value';
import { useListState } from '@/components/ui/table/use-list-state';

const REFRESH_INTERVAL_MS = 3000;

export function SessionsView() {
  const t = useTranslations('sessions.sessionsView');
  const urls = usePublicUrls();
  const copyValue = useCopyValue('session');
  const { state, updateListState, setFilter } = useListState(sessionListOptions);
  const list = useSessions(sessionListQueryOf(state), REFRESH_INTERVAL_MS);
  const page = list.data;
  const isFiltered = hasActiveFilters(state);
  const isEmpty = isEmptyList(page, state);

  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {!(isEmpty && !isFiltered) && (
        <ListToolbar
          subject={t('sessions')}
          search={state.search}
          onSearch={(search) => updateListState({ search }, 'replace')}
        >
          <FilterChips
            label={t('filterByRecording')}
            value={state.filters.recorded ?? ALL_FILTER_VALUE}
            options={recordedFilterValues.map((value) => ({ value, label: t(`filter.${value}`) }))}
            onChange={(value) => setFilter('recorded', value)}
          />
          <StreamFilter
            value={state.filters.stream ?? ALL_FILTER_VALUE}
            onChange={(value) => setFilter('stream', value)}
          />
        </ListToolbar>
      )}
      <ListContent
        query={list}
        itemsLabel={t('theSessions')}
        state={state}
        formatCount={(count) => t('rowCount', { count })}
        onChange={updateListState}
        empty={
          <NoSessions
            isFiltered={isFiltered}
            onShowAll={() => updateListState({ search: '', filters: {} })}
          />
        }
      >
        <SessionTable
          sessions={page?.items}
          sorting={{ ...state, onSort: (field) => updateListState(sortedBy(state, field)) }}
          onCopy={(kind, { id, recordingUrl }) =>
            void copyValue(kind, { id, playbackUrl: recordingUrl }, urls)
          }
        />
      </ListContent>
    </>
  );
}

function NoSessions({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  const t = useTranslations('sessions.sessionsView');
  if (isFiltered) {
    return (
      <EmptyState
        title={t('noSessionMatches')}
        action={<Button onClick={onShowAll}>{t('showAllSessions')}</Button>}
      >
        {t('tryAnother')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('noSessionsYet')}
      icon={SquarePlay}
      action={
        <Button asChild>
          <Link href="/streams">{t('streams')}</Link>
        </Button>
      }
    >
      {t('whenTheyStart')}
    </EmptyState>
  );
}
