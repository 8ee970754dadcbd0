'use client';

import { SquarePlay } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { sessionFilters, sessionListQueryOf, sessionListShape } from '@/components/sessions/session-list';
import { SessionTable } from '@/components/sessions/session-table';
import { StreamFilter } from '@/components/streams/list/stream-filter';
import { Button } from '@/components/ui/button';
import { FilterChips } from '@/components/ui/form/chips';
import { EmptyState } from '@/components/ui/empty-state';
import { ListContent } from '@/components/ui/table/list-content';
import { ListToolbar } from '@/components/ui/table/list-controls';
import { allValue, isEmptyList, isNarrowed, sortedBy } from '@/components/ui/table/list-state';
import { PageHeader } from '@/components/ui/page-header';
import { useSessions } from '@/lib/client/queries/session-queries';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { useCopyValue } from '@/components/ui/copy/use-copy-value';
import { useListState } from '@/components/ui/table/use-list-state';

const REFRESH_MS = 3000;

export function SessionsView() {
  const t = useTranslations('sessions.sessionsView');
  const urls = usePublicUrls();
  const copyValue = useCopyValue({ path: 'session', name: 'Session' });
  const { state, change, filter } = useListState(sessionListShape);
  const list = useSessions(sessionListQueryOf(state), REFRESH_MS);
  const page = list.data;
  const isFiltered = isNarrowed(state);
  const empty = isEmptyList(page, state);

  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      {!(empty && !isFiltered) && (
        <ListToolbar
          subject={t('sessions')}
          search={state.search}
          onSearch={(search) => change({ search }, 'replace')}
        >
          <FilterChips
            label={t('filterByRecording')}
            value={state.filters.recorded ?? allValue}
            options={sessionFilters.map((value) => ({ value, label: t(`filter.${value}`) }))}
            onChange={(value) => filter('recorded', value)}
          />
          <StreamFilter
            value={state.filters.stream ?? allValue}
            onChange={(value) => filter('stream', value)}
          />
        </ListToolbar>
      )}
      <ListContent
        list={list}
        subject={t('theSessions')}
        state={state}
        countedAs={(count) => t('counted', { count })}
        onChange={change}
        empty={<NoSessions isFiltered={isFiltered} onClear={() => change({ search: '', filters: {} })} />}
      >
        <SessionTable
          sessions={page?.items}
          sorting={{ ...state, onSort: (field) => change(sortedBy(state, field)) }}
          onCopy={(kind, { id, recordingUrl }) =>
            void copyValue(kind, { id, playbackUrl: recordingUrl }, urls)
          }
        />
      </ListContent>
    </>
  );
}

function NoSessions({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const t = useTranslations('sessions.sessionsView');
  if (isFiltered) {
    return (
      <EmptyState
        title={t('noSessionMatches')}
        action={<Button onClick={onClear}>{t('showAllSessions')}</Button>}
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
