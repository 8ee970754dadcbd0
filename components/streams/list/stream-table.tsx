'use client';

import { Code, Copy, Link2, Radio, Trash2 } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import {
  DataTable,
  type DataColumn,
  type DataSelection,
  type DataSorting,
} from '@/components/ui/table/data-table';
import {
  createdColumn,
  NameWithThumbnail,
  nameWithThumbnailPlaceholder,
  timeColumn,
} from '@/components/ui/table/list-columns';
import { MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { DataGrid } from '@/components/ui/table/data-grid';
import { RelativeTime } from '@/components/ui/relative-time';
import { RowMenu } from '@/components/ui/table/row-menu';
import { PolicyBadge } from '@/components/access/policy-badge';
import { useLatestCall } from '@/components/ui/use-latest-call';
import type { Stream } from '@/lib/contract/streams/stream';
import type { StreamSortField } from './stream-list';
import { IfPermitted } from '@/components/teams/use-team';
import { formatCurrentViewers } from '@/components/streams/viewers/viewer-history';
import { StreamStatus } from '@/components/streams/stream-status';

interface StreamListProps {
  /** Undefined while loading. */
  streams: readonly Stream[] | undefined;
  /** Undefined if rows cannot be selected. */
  selection: DataSelection | undefined;
  /** URL of a live stream's thumbnail; undefined while unknown. Must be stable, because a new function re-renders all rows. */
  thumbnailOf: (stream: Stream) => string | undefined;
  /** Current viewers of a stream; undefined while loading. */
  viewersOf: (stream: Stream) => number | undefined;
  onCopy: (kind: 'id' | 'playback' | 'curl', stream: Stream) => void;
  onDelete: (stream: Stream) => void;
}

/** Streams as cards with thumbnails. */
export function StreamGrid({ streams, selection, thumbnailOf, viewersOf, ...handlers }: StreamListProps) {
  const t = useTranslations('streams.streamTable');
  return (
    <DataGrid
      label={t('streams')}
      rows={streams}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/streams/${id}`}
      thumbnailUrlOf={(stream) => (stream.isActive ? thumbnailOf(stream) : undefined)}
      icon={Radio}
      status={(stream) => (
        <span className="flex items-center gap-2">
          <StreamStatus stream={stream} />
          <PolicyBadge policy={stream.playbackPolicy} />
        </span>
      )}
      facts={(stream) =>
        stream.isActive ? (
          <ViewersNow viewers={viewersOf(stream)} />
        ) : (
          <>
            {t('lastLiveAt')} <RelativeTime at={stream.lastSeen} />
          </>
        )
      }
      selection={selection}
      menu={(stream) => <StreamMenu stream={stream} {...handlers} />}
    />
  );
}

interface StreamTableProps extends StreamListProps {
  sorting: DataSorting<StreamSortField>;
}

/** Streams as a table with sortable columns. */
export function StreamTable({
  streams,
  sorting,
  selection,
  thumbnailOf,
  viewersOf,
  ...handlers
}: StreamTableProps) {
  const t = useTranslations('streams.streamTable');
  const onCopy = useLatestCall(handlers.onCopy);
  const onDelete = useLatestCall(handlers.onDelete);
  const columns = useMemo(() => columnsOf(t, { thumbnailOf, viewersOf }), [t, thumbnailOf, viewersOf]);
  const menu = useCallback(
    (stream: Stream) => <StreamMenu stream={stream} onCopy={onCopy} onDelete={onDelete} />,
    [onCopy, onDelete],
  );
  return (
    <DataTable
      label={t('streams')}
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

const columnsOf = (
  t: Translator<'streams.streamTable'>,
  { thumbnailOf, viewersOf }: Pick<StreamListProps, 'thumbnailOf' | 'viewersOf'>,
): readonly Column[] => [
  {
    head: t('name'),
    sort: 'name',
    skeleton: nameWithThumbnailPlaceholder,
    cell: (stream) => (
      <NameWithThumbnail
        name={stream.name}
        href={`/streams/${stream.id}`}
        thumbnailUrl={stream.isActive ? thumbnailOf(stream) : undefined}
        icon={Radio}
        badge={<PolicyBadge policy={stream.playbackPolicy} iconOnly />}
      />
    ),
  },
  {
    head: t('status'),
    phone: true,
    width: 'w-32',
    skeleton: 'h-6 w-20 rounded-full',
    cell: (stream) => <Status stream={stream} viewers={viewersOf(stream)} />,
  },
  {
    head: t('playbackId'),
    width: '@max-[60rem]:hidden',
    skeleton: 'h-4 w-36',
    className: '@max-[60rem]:hidden',
    cell: ({ playbackId }) => <span className="text-ink-2 font-mono text-sm">{playbackId}</span>,
  },
  {
    head: t('recording'),
    width: 'w-28 @max-[50rem]:hidden',
    skeleton: 'h-4 w-8',
    className: '@max-[50rem]:hidden',
    cell: ({ record }) =>
      record ? t('recordingOn') : <span className="text-ink-3">{t('recordingOff')}</span>,
  },
  {
    ...timeColumn,
    head: t('lastLive'),
    phone: true,
    sort: 'lastSeen',
    cell: ({ isActive, lastSeen }) =>
      isActive ? t('now') : <RelativeTime at={lastSeen} never={t('neverLive')} />,
  },
  { ...createdColumn, head: t('created'), sort: 'createdAt' },
];

function Status({ stream, viewers }: { stream: Stream; viewers: number | undefined }) {
  return (
    <span className="inline-grid justify-items-start gap-0.5">
      <StreamStatus stream={stream} />
      {stream.isActive && (
        <span className="live-figure text-ink-2 min-h-4 text-xs tabular-nums">
          <ViewersNow viewers={viewers} />
        </span>
      )}
    </span>
  );
}

/** Current viewers of a live stream; empty while loading. */
function ViewersNow({ viewers }: { viewers: number | undefined }) {
  const t = useTranslations('streams.viewerHistory');
  return formatCurrentViewers(t, viewers);
}

function StreamMenu({
  stream,
  onCopy,
  onDelete,
}: Pick<StreamListProps, 'onCopy' | 'onDelete'> & { stream: Stream }) {
  const t = useTranslations('streams.streamTable');
  return (
    <RowMenu name={stream.name}>
      <MenuItem icon={Copy} onSelect={() => onCopy('id', stream)}>
        {t('copyStreamId')}
      </MenuItem>
      <MenuItem icon={Link2} onSelect={() => onCopy('playback', stream)}>
        {t('copyPlaybackUrl')}
      </MenuItem>
      <MenuItem icon={Code} onSelect={() => onCopy('curl', stream)}>
        {t('copyAsCurl')}
      </MenuItem>
      <IfPermitted>
        <MenuSeparator />
        <MenuItem icon={Trash2} danger onSelect={() => onDelete(stream)}>
          {t('deleteStream')}
        </MenuItem>
      </IfPermitted>
    </RowMenu>
  );
}
