'use client';

import { Code, Copy, Link2, Radio, Trash2 } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import {
  DataTable,
  type DataColumn,
  type DataSelection,
  type DataSorting,
} from '@/components/ui/table/data-table';
import {
  createdColumn,
  PicturedName,
  picturedNameStill,
  timeColumn,
} from '@/components/ui/table/list-columns';
import { MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { DataGrid } from '@/components/ui/table/data-grid';
import { RelativeTime } from '@/components/ui/relative-time';
import { RowMenu } from '@/components/ui/table/failed-items';
import { StatusPill } from '@/components/ui/status-pill';
import { useLatestCall } from '@/components/ui/use-latest-call';
import type { Stream } from '@/lib/contract/streams/stream';
import type { StreamSortField } from './stream-list';
import { watchingInWords } from '@/components/streams/viewers/viewer-history';
import { streamStatus } from '@/components/streams/stream-status';

interface StreamListProps {
  /** undefined = not loaded yet. */
  streams: readonly Stream[] | undefined;
  selection: DataSelection;
  /** URL of a live stream's thumbnail; undefined until known. A new function would re-render all rows. */
  thumbnailOf: (stream: Stream) => string | undefined;
  /** Who watches a stream now; undefined until that is known. */
  viewersOf: (stream: Stream) => number | undefined;
  onCopy: (what: 'id' | 'playback' | 'curl', stream: Stream) => void;
  onDelete: (stream: Stream) => void;
}

/** The same as pictures. */
export function StreamGrid({ streams, selection, thumbnailOf, viewersOf, ...acts }: StreamListProps) {
  return (
    <DataGrid
      label="Streams"
      rows={streams}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/streams/${id}`}
      pictureOf={(stream) => (stream.isActive ? thumbnailOf(stream) : undefined)}
      icon={Radio}
      status={(stream) => {
        const { tone, label } = streamStatus(stream);
        return <StatusPill tone={tone}>{label}</StatusPill>;
      }}
      facts={(stream) =>
        stream.isActive ? (
          watchingInWords(viewersOf(stream))
        ) : (
          <>
            Last live: <RelativeTime at={stream.lastSeen} />
          </>
        )
      }
      selection={selection}
      menu={(stream) => <StreamMenu stream={stream} {...acts} />}
    />
  );
}

interface StreamTableProps extends StreamListProps {
  sorting: DataSorting<StreamSortField>;
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
}: Pick<StreamListProps, 'thumbnailOf' | 'viewersOf'>): readonly Column[] => [
  {
    head: 'Name',
    sort: 'name',
    still: picturedNameStill,
    cell: (stream) => (
      <PicturedName
        name={stream.name}
        href={`/streams/${stream.id}`}
        picture={stream.isActive ? thumbnailOf(stream) : undefined}
        icon={Radio}
      />
    ),
  },
  {
    head: 'Status',
    phone: true,
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
    ...timeColumn,
    head: 'Last live',
    phone: true,
    sort: 'lastSeen',
    cell: ({ isActive, lastSeen }) => (isActive ? 'Now' : <RelativeTime at={lastSeen} never="Never live" />),
  },
  { ...createdColumn, sort: 'createdAt' },
];

function Status({ stream, viewers }: { stream: Stream; viewers: number | undefined }) {
  const { tone, label } = streamStatus(stream);
  return (
    <span className="inline-grid justify-items-start gap-0.5">
      <StatusPill tone={tone}>{label}</StatusPill>
      {stream.isActive && (
        <span className="live-figure text-ink-2 min-h-4 text-xs tabular-nums">
          {watchingInWords(viewers)}
        </span>
      )}
    </span>
  );
}

function StreamMenu({
  stream,
  onCopy,
  onDelete,
}: Pick<StreamListProps, 'onCopy' | 'onDelete'> & { stream: Stream }) {
  return (
    <RowMenu of={stream.name}>
      <MenuItem icon={Copy} onSelect={() => onCopy('id', stream)}>
        Copy stream ID
      </MenuItem>
      <MenuItem icon={Link2} onSelect={() => onCopy('playback', stream)}>
        Copy playback URL
      </MenuItem>
      <MenuItem icon={Code} onSelect={() => onCopy('curl', stream)}>
        Copy as curl
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger onSelect={() => onDelete(stream)}>
        Delete stream
      </MenuItem>
    </RowMenu>
  );
}
