'use client';

import { Code, Copy, Link2, Radio, Trash2 } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { DataTable, type DataColumn, type DataSelection, type DataSorting } from '@/components/ui/data-table';
import { MenuItem, MenuSeparator } from '@/components/ui/menu';
import { RelativeTime } from '@/components/ui/relative-time';
import { RowLink } from '@/components/ui/row-link';
import { RowMenu } from '@/components/ui/row-menu';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import { useLatestCall } from '@/components/ui/use-latest-call';
import { Thumbnail } from '@/components/ui/thumbnail';
import type { Stream } from '@/lib/contract/stream';
import type { StreamSortField } from './stream-list';
import { watchingInWords } from './viewer-words';
import { streamStatus } from './stream-status';

interface StreamTableProps {
  /** undefined = not loaded yet. */
  streams: readonly Stream[] | undefined;
  sorting: DataSorting<StreamSortField>;
  selection: DataSelection;
  /** Of the latest picture of a live stream; undefined until it is known. Another function renders all rows anew. */
  thumbnailOf: (stream: Stream) => string | undefined;
  /** Who watches a stream now; undefined until that is known. */
  viewersOf: (stream: Stream) => number | undefined;
  onCopy: (what: 'id' | 'playback' | 'curl', stream: Stream) => void;
  onDelete: (stream: Stream) => void;
}

export function StreamTable({
  streams,
  sorting,
  selection,
  thumbnailOf,
  viewersOf,
  ...acts
}: StreamTableProps) {
  const onCopy = useLatestCall(acts.onCopy);
  const onDelete = useLatestCall(acts.onDelete);
  const columns = useMemo(() => columnsOf({ thumbnailOf, viewersOf }), [thumbnailOf, viewersOf]);
  const menu = useCallback(
    (stream: Stream) => <StreamMenu stream={stream} onCopy={onCopy} onDelete={onDelete} />,
    [onCopy, onDelete],
  );
  return (
    <DataTable
      label="Streams"
      columns={columns}
      rows={streams}
      nameOf={({ name }) => name}
      sorting={sorting}
      selection={selection}
      menu={menu}
    />
  );
}

type Column = DataColumn<Stream, StreamSortField>;

const columnsOf = ({
  thumbnailOf,
  viewersOf,
}: Pick<StreamTableProps, 'thumbnailOf' | 'viewersOf'>): readonly Column[] => [
  {
    head: 'Name',
    sort: 'name',
    still: (
      <span className="flex min-w-44 items-center gap-3">
        <Skeleton className="h-9 w-16" />
        <Skeleton className="h-4 w-40" />
      </span>
    ),
    cell: (stream) => (
      <span className="flex min-w-44 items-center gap-3">
        <Thumbnail src={stream.isActive ? thumbnailOf(stream) : undefined} icon={Radio} />
        <RowLink href={`/streams/${stream.id}`}>{stream.name}</RowLink>
      </span>
    ),
  },
  {
    head: 'Status',
    width: 'w-32',
    still: 'h-6 w-20 rounded-full',
    cell: (stream) => <Status stream={stream} viewers={viewersOf(stream)} />,
  },
  {
    head: 'Playback ID',
    still: 'h-4 w-36',
    cell: ({ playbackId }) => <span className="text-ink-2 font-mono text-sm">{playbackId}</span>,
  },
  {
    head: 'Recording',
    width: 'w-28',
    still: 'h-4 w-8',
    cell: ({ record }) => (record ? 'On' : <span className="text-ink-3">Off</span>),
  },
  {
    head: 'Last live',
    sort: 'lastSeen',
    width: 'w-36',
    still: 'h-4 w-20',
    className: 'whitespace-nowrap',
    cell: ({ isActive, lastSeen }) => (isActive ? 'Now' : <RelativeTime at={lastSeen} />),
  },
  {
    head: 'Created',
    sort: 'createdAt',
    width: 'w-36',
    still: 'h-4 w-20',
    className: 'whitespace-nowrap',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

function Status({ stream, viewers }: { stream: Stream; viewers: number | undefined }) {
  const { tone, label } = streamStatus(stream);
  return (
    <span className="inline-grid justify-items-start gap-0.5 max-sm:justify-items-end">
      <StatusPill tone={tone}>{label}</StatusPill>
      {stream.isActive && (
        <span className="text-ink-2 min-h-4 text-xs tabular-nums">{watchingInWords(viewers)}</span>
      )}
    </span>
  );
}

function StreamMenu({
  stream,
  onCopy,
  onDelete,
}: Pick<StreamTableProps, 'onCopy' | 'onDelete'> & { stream: Stream }) {
  return (
    <RowMenu of={stream.name}>
      <MenuItem onSelect={() => onCopy('id', stream)}>
        <Copy aria-hidden="true" />
        Copy stream ID
      </MenuItem>
      <MenuItem onSelect={() => onCopy('playback', stream)}>
        <Link2 aria-hidden="true" />
        Copy playback URL
      </MenuItem>
      <MenuItem onSelect={() => onCopy('curl', stream)}>
        <Code aria-hidden="true" />
        Copy as curl
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => onDelete(stream)}>
        <Trash2 aria-hidden="true" />
        Delete stream
      </MenuItem>
    </RowMenu>
  );
}
