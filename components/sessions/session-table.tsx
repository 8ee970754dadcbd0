import { Copy, Download, Ellipsis, Link2 } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem } from '@/components/ui/menu';
import { durationInWords, sizeInWords } from '@/components/ui/quantities';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import { Cell, Column, Row, Table, type SortDirection } from '@/components/ui/table';
import type { Session } from '@/lib/contract/session';
import type { SessionSortField } from './session-list';
import { recordingWord } from './session-words';

interface SessionTableProps {
  /** undefined = not loaded yet. */
  sessions: readonly Session[] | undefined;
  sort: SessionSortField;
  descending: boolean;
  onSort: (field: SessionSortField) => void;
  onCopy: (what: 'id' | 'playback', session: Session) => void;
}

const SKELETON_ROWS = 6;

export function SessionTable(props: SessionTableProps) {
  const sorting = (field: SessionSortField): { sort: SortDirection | null; onSort: () => void } => ({
    sort: field === props.sort ? (props.descending ? 'descending' : 'ascending') : null,
    onSort: () => props.onSort(field),
  });
  return (
    <Table
      label="Sessions"
      head={
        <>
          <Column>Stream</Column>
          <Column className="w-40">Recording</Column>
          <Column className="w-36" {...sorting('sourceSegmentsDuration')}>
            Duration
          </Column>
          <Column className="w-28">Received</Column>
          <Column className="w-24">Gaps</Column>
          <Column className="w-36" {...sorting('createdAt')}>
            Started
          </Column>
          <Column className="w-14">
            <span className="sr-only">Actions</span>
          </Column>
        </>
      }
    >
      {props.sessions
        ? props.sessions.map((session) => (
            <SessionRow key={session.id} session={session} onCopy={props.onCopy} />
          ))
        : Array.from({ length: SKELETON_ROWS }, (_, index) => <SkeletonRow key={index} />)}
    </Table>
  );
}

function SessionRow({ session, onCopy }: Pick<SessionTableProps, 'onCopy'> & { session: Session }) {
  const { tone, label } = recordingWord(session);
  const gaps = session.recordingGaps?.length;
  return (
    <Cells
      name={
        <Link
          href={`/sessions/${session.id}`}
          className="hover:text-accent-ink font-medium wrap-anywhere underline-offset-4 hover:underline"
        >
          {session.name}
        </Link>
      }
      recording={
        <span title={session.recordingError}>
          <StatusPill tone={tone}>{label}</StatusPill>
        </span>
      }
      duration={durationInWords(session.sourceSegmentsDuration)}
      received={sizeInWords(session.sourceBytes)}
      gaps={gaps === undefined ? <span className="text-ink-3">–</span> : gaps === 0 ? 'None' : gaps}
      started={<RelativeTime at={session.createdAt} />}
      menu={
        <Menu
          trigger={
            <Button variant="ghost" size="icon" aria-label={`Actions for the session of ${session.name}`}>
              <Ellipsis aria-hidden="true" />
            </Button>
          }
        >
          <MenuItem onSelect={() => onCopy('id', session)}>
            <Copy aria-hidden="true" />
            Copy session ID
          </MenuItem>
          {session.recordingUrl !== undefined && (
            <MenuItem onSelect={() => onCopy('playback', session)}>
              <Link2 aria-hidden="true" />
              Copy playback URL
            </MenuItem>
          )}
          {session.mp4Url !== undefined && (
            <MenuItem onSelect={() => window.location.assign(session.mp4Url ?? '')}>
              <Download aria-hidden="true" />
              Download MP4
            </MenuItem>
          )}
        </Menu>
      }
    />
  );
}

function SkeletonRow() {
  return (
    <Cells
      name={<Skeleton className="h-4 w-40" />}
      recording={<Skeleton className="h-6 w-20 rounded-full" />}
      duration={<Skeleton className="h-4 w-16" />}
      received={<Skeleton className="h-4 w-14" />}
      gaps={<Skeleton className="h-4 w-8" />}
      started={<Skeleton className="h-4 w-20" />}
      menu={<Skeleton className="size-8" />}
    />
  );
}

type CellName = 'name' | 'recording' | 'duration' | 'received' | 'gaps' | 'started' | 'menu';

/** One row, so that the still shapes stand exactly where the data will. */
function Cells(cells: Record<CellName, ReactNode>) {
  return (
    <Row>
      <Cell className="max-sm:pr-10">{cells.name}</Cell>
      <Cell label="Recording">{cells.recording}</Cell>
      <Cell label="Duration" className="whitespace-nowrap">
        {cells.duration}
      </Cell>
      <Cell label="Received" className="whitespace-nowrap">
        {cells.received}
      </Cell>
      <Cell label="Gaps">{cells.gaps}</Cell>
      <Cell label="Started" className="whitespace-nowrap">
        {cells.started}
      </Cell>
      <Cell className="max-sm:absolute max-sm:top-2 max-sm:right-2">{cells.menu}</Cell>
    </Row>
  );
}
