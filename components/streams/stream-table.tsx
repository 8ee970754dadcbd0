import { Code, Copy, Ellipsis, Link2, Trash2 } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import { Cell, Column, Row, Table, type SortDirection } from '@/components/ui/table';
import type { Stream } from '@/lib/contract/stream';
import { StreamThumbnail } from './stream-thumbnail';
import type { StreamSortField } from './stream-list-query';
import { watchingInWords } from './viewer-words';
import { streamStatus } from './stream-status';

interface StreamTableProps {
  /** undefined = not loaded yet. */
  streams: readonly Stream[] | undefined;
  sort: StreamSortField;
  descending: boolean;
  onSort: (field: StreamSortField) => void;
  /** Of the latest picture of a live stream; undefined until it is known. */
  thumbnailOf: (stream: Stream) => string | undefined;
  /** Who watches a stream now; undefined until that is known. */
  viewersOf: (stream: Stream) => number | undefined;
  onCopy: (what: 'id' | 'playback' | 'curl', stream: Stream) => void;
  onDelete: (stream: Stream) => void;
}

const SKELETON_ROWS = 6;

export function StreamTable(props: StreamTableProps) {
  const sortOf = (field: StreamSortField): SortDirection | null =>
    field === props.sort ? (props.descending ? 'descending' : 'ascending') : null;
  const sorting = (field: StreamSortField) => ({
    sort: sortOf(field),
    onSort: () => props.onSort(field),
  });
  return (
    <Table
      label="Streams"
      head={
        <>
          <Column {...sorting('name')}>Name</Column>
          <Column className="w-32">Status</Column>
          <Column>Playback ID</Column>
          <Column className="w-28">Recording</Column>
          <Column className="w-36" {...sorting('lastSeen')}>
            Last live
          </Column>
          <Column className="w-36" {...sorting('createdAt')}>
            Created
          </Column>
          <Column className="w-14">
            <span className="sr-only">Actions</span>
          </Column>
        </>
      }
    >
      {props.streams
        ? props.streams.map((stream) => <StreamRow key={stream.id} stream={stream} {...props} />)
        : Array.from({ length: SKELETON_ROWS }, (_, index) => <SkeletonRow key={index} />)}
    </Table>
  );
}

function StreamRow({
  stream,
  thumbnailOf,
  viewersOf,
  onCopy,
  onDelete,
}: StreamTableProps & { stream: Stream }) {
  const status = streamStatus(stream);
  return (
    <Cells
      name={
        <span className="flex min-w-44 items-center gap-3">
          <StreamThumbnail src={stream.isActive ? thumbnailOf(stream) : undefined} />
          <Link
            href={`/streams/${stream.id}`}
            className="hover:text-accent-ink font-medium wrap-anywhere underline-offset-4 hover:underline"
          >
            {stream.name}
          </Link>
        </span>
      }
      status={
        <span className="inline-grid justify-items-start gap-0.5 max-sm:justify-items-end">
          <StatusPill tone={status.tone}>{status.label}</StatusPill>
          {stream.isActive && (
            <span className="text-ink-2 min-h-4 text-xs tabular-nums">
              {watchingInWords(viewersOf(stream))}
            </span>
          )}
        </span>
      }
      playbackId={<span className="text-ink-2 font-mono text-sm">{stream.playbackId}</span>}
      record={stream.record ? 'On' : <span className="text-ink-3">Off</span>}
      lastSeen={stream.isActive ? 'Now' : <RelativeTime at={stream.lastSeen} />}
      createdAt={<RelativeTime at={stream.createdAt} />}
      menu={
        <Menu
          trigger={
            <Button variant="ghost" size="icon" aria-label={`Actions for ${stream.name}`}>
              <Ellipsis aria-hidden="true" />
            </Button>
          }
        >
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
        </Menu>
      }
    />
  );
}

function SkeletonRow() {
  return (
    <Cells
      name={<Skeleton className="h-4 w-40" />}
      status={<Skeleton className="h-6 w-20 rounded-full" />}
      playbackId={<Skeleton className="h-4 w-36" />}
      record={<Skeleton className="h-4 w-8" />}
      lastSeen={<Skeleton className="h-4 w-20" />}
      createdAt={<Skeleton className="h-4 w-20" />}
      menu={<Skeleton className="size-8" />}
    />
  );
}

type CellName = 'name' | 'status' | 'playbackId' | 'record' | 'lastSeen' | 'createdAt' | 'menu';

/** One row, so that the still shapes stand exactly where the data will. */
function Cells(cells: Record<CellName, ReactNode>) {
  return (
    <Row>
      <Cell className="max-sm:pr-10">{cells.name}</Cell>
      <Cell label="Status">{cells.status}</Cell>
      <Cell label="Playback ID">{cells.playbackId}</Cell>
      <Cell label="Recording">{cells.record}</Cell>
      <Cell label="Last live" className="whitespace-nowrap">
        {cells.lastSeen}
      </Cell>
      <Cell label="Created" className="whitespace-nowrap">
        {cells.createdAt}
      </Cell>
      <Cell className="max-sm:absolute max-sm:top-2 max-sm:right-2">{cells.menu}</Cell>
    </Row>
  );
}
