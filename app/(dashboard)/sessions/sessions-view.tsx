'use client';

import Link from 'next/link';
import { sessionFilters, sessionListQueryOf, sessionListShape } from '@/components/sessions/session-list';
import { SessionTable } from '@/components/sessions/session-table';
import { StreamFilter } from '@/components/streams/list/stream-filter';
import { Button } from '@/components/ui/button';
import { Chips } from '@/components/ui/form/chips';
import { EmptyState, LoadFailed } from '@/components/ui/empty-state';
import { ListPager, ListToolbar } from '@/components/ui/table/list-controls';
import { everything, isNarrowed, sortedBy } from '@/components/ui/table/list-state';
import { PageHeader } from '@/components/ui/page-header';
import { useSessions } from '@/lib/client/queries/session-queries';
import { useAddresses } from '@/lib/client/queries/addresses';
import { copyOf } from '@/components/ui/copy/copy-of';
import { useListState } from '@/components/ui/table/use-list-state';

const REFRESH_MS = 3000;

export function SessionsView() {
  const addresses = useAddresses();
  const { state, change, filter } = useListState(sessionListShape);
  const list = useSessions(sessionListQueryOf(state), REFRESH_MS);
  const page = list.data;
  const narrowed = isNarrowed(state);
  const empty = page?.items.length === 0 && !state.cursor;

  return (
    <>
      <PageHeader title="Sessions" description="Every time a stream was live, with its recording." />
      {!(empty && !narrowed) && (
        <ListToolbar
          what="sessions"
          search={state.search}
          onSearch={(search) => change({ search }, 'replace')}
        >
          <Chips
            label="Filter by recording"
            value={state.filters.recorded ?? everything}
            options={sessionFilters}
            onChange={(value) => filter('recorded', value)}
          />
          <StreamFilter
            value={state.filters.stream ?? everything}
            onChange={(value) => filter('stream', value)}
          />
        </ListToolbar>
      )}
      {list.isError && !page ? (
        <LoadFailed what="The sessions" error={list.error} onRetry={() => void list.refetch()} />
      ) : empty ? (
        <NoSessions narrowed={narrowed} onClear={() => change({ search: '', filters: {} })} />
      ) : (
        <SessionTable
          sessions={page?.items}
          sorting={{ ...state, onSort: (field) => change(sortedBy(state, field)) }}
          onCopy={(what, { id, recordingUrl }) =>
            void copyOf('Session', what, { id, playbackUrl: recordingUrl }, addresses)
          }
        />
      )}
      {page && !empty && <ListPager what="session" page={page} state={state} onChange={change} />}
    </>
  );
}

function NoSessions({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (narrowed) {
    return (
      <EmptyState title="No session matches" action={<Button onClick={onClear}>Show all sessions</Button>}>
        Try another name, stream or recording filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No sessions yet"
      action={
        <Button asChild>
          <Link href="/streams">Streams</Link>
        </Button>
      }
    >
      A session starts when a stream goes live. Turn on recording for a stream to play its sessions here.
    </EmptyState>
  );
}
