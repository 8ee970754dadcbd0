import { Code, Copy, Download, Link2 } from 'lucide-react';
import { DataTable, type DataColumn, type DataSorting } from '@/components/ui/table/data-table';
import { createdColumn } from '@/components/ui/table/list-columns';
import { MenuItem } from '@/components/ui/overlay/menu';
import { none } from '@/components/ui/empty-state';
import { durationInWords, sizeInWords } from '@/components/ui/time-words';
import { RowLink } from '@/components/ui/table/table';
import { RowMenu } from '@/components/ui/table/failed-items';
import { StatusPill } from '@/components/ui/status-pill';
import type { Session } from '@/lib/contract/sessions/session';
import type { SessionSortField } from './session-list';
import { recordingWord } from './session-words';
import { downloadLink } from '@/lib/client/queries/addresses';

interface SessionTableProps {
  /** undefined = not loaded yet. */
  sessions: readonly Session[] | undefined;
  sorting: DataSorting<SessionSortField>;
  onCopy: (what: 'id' | 'playback' | 'curl', session: Session) => void;
}

export function SessionTable({ sessions, sorting, onCopy }: SessionTableProps) {
  return (
    <DataTable
      label="Sessions"
      columns={columns}
      rows={sessions}
      nameOf={({ name }) => name}
      sorting={sorting}
      menu={(session) => <SessionMenu session={session} onCopy={onCopy} />}
    />
  );
}

type Column = DataColumn<Session, SessionSortField>;

const columns: readonly Column[] = [
  {
    head: 'Stream',
    still: 'h-4 w-40',
    cell: ({ id, name }) => <RowLink href={`/sessions/${id}`}>{name}</RowLink>,
  },
  {
    head: 'Recording',
    phone: true,
    width: 'w-40',
    still: 'h-6 w-20 rounded-full',
    cell: (session) => {
      const { tone, label } = recordingWord(session);
      return (
        <span title={session.recordingError}>
          <StatusPill tone={tone}>{label}</StatusPill>
        </span>
      );
    },
  },
  {
    head: 'Duration',
    phone: true,
    sort: 'sourceSegmentsDuration',
    width: 'w-36',
    still: 'h-4 w-16',
    className: 'whitespace-nowrap',
    cell: ({ sourceSegmentsDuration }) => durationInWords(sourceSegmentsDuration),
  },
  {
    head: 'Received',
    width: 'w-28',
    still: 'h-4 w-14',
    className: 'whitespace-nowrap',
    cell: ({ sourceBytes }) => sizeInWords(sourceBytes),
  },
  {
    head: 'Gaps',
    width: 'w-24',
    still: 'h-4 w-8',
    cell: ({ recordingGaps }) => (recordingGaps ? recordingGaps.length || 'None' : none),
  },
  { ...createdColumn, head: 'Started', phone: true, sort: 'createdAt' },
];

function SessionMenu({ session, onCopy }: Pick<SessionTableProps, 'onCopy'> & { session: Session }) {
  const { recordingUrl, mp4Url } = session;
  return (
    <RowMenu of={`the session of ${session.name}`}>
      <MenuItem icon={Copy} onSelect={() => onCopy('id', session)}>
        Copy session ID
      </MenuItem>
      {recordingUrl !== undefined && (
        <MenuItem icon={Link2} onSelect={() => onCopy('playback', session)}>
          Copy playback URL
        </MenuItem>
      )}
      <MenuItem icon={Code} onSelect={() => onCopy('curl', session)}>
        Copy as curl
      </MenuItem>
      {mp4Url !== undefined && (
        <MenuItem icon={Download} onSelect={() => window.location.assign(downloadLink(mp4Url))}>
          Download MP4
        </MenuItem>
      )}
    </RowMenu>
  );
}
