'use client';

import { ArchiveRestore, Code, Copy, Download, Film, Link2, Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { asSentence } from '@/components/ui/as-sentence';
import { DataTable, type DataColumn, type DataSelection, type DataSorting } from '@/components/ui/data-table';
import { MenuItem, MenuSeparator } from '@/components/ui/menu';
import { none } from '@/components/ui/none';
import { sizeInWords } from '@/components/ui/quantities';
import { RelativeTime } from '@/components/ui/relative-time';
import { RowLink } from '@/components/ui/row-link';
import { RowMenu } from '@/components/ui/row-menu';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import { useLatestCall } from '@/components/ui/use-latest-call';
import { Thumbnail } from '@/components/ui/thumbnail';
import type { Asset } from '@/lib/contract/asset';
import type { AssetSortField } from './asset-list';
import { assetSourceWord, assetStatus, clockOf, isDeleted, posterOf } from './asset-words';

export type AssetCopy = 'id' | 'playback' | 'curl';

interface AssetActions {
  onCopy: (what: AssetCopy, asset: Asset) => void;
  onDelete: (asset: Asset) => void;
  onRestore: (asset: Asset) => void;
}

interface AssetTableProps extends AssetActions {
  /** undefined = not loaded yet. */
  assets: readonly Asset[] | undefined;
  sorting: DataSorting<AssetSortField>;
  selection: DataSelection;
}

export function AssetTable({ assets, sorting, selection, ...actions }: AssetTableProps) {
  const onCopy = useLatestCall(actions.onCopy);
  const onDelete = useLatestCall(actions.onDelete);
  const onRestore = useLatestCall(actions.onRestore);
  const menu = useCallback(
    (asset: Asset) => <AssetMenu asset={asset} onCopy={onCopy} onDelete={onDelete} onRestore={onRestore} />,
    [onCopy, onDelete, onRestore],
  );
  return (
    <DataTable
      label="Assets"
      columns={columns}
      rows={assets}
      nameOf={({ name }) => name}
      sorting={sorting}
      selection={selection}
      menu={menu}
    />
  );
}

type Column = DataColumn<Asset, AssetSortField>;

const columns: readonly Column[] = [
  {
    head: 'Name',
    sort: 'name',
    still: (
      <span className="flex items-center gap-3">
        <Skeleton className="h-9 w-16" />
        <Skeleton className="h-4 w-40" />
      </span>
    ),
    cell: (asset) => <AssetTitle asset={asset} />,
  },
  {
    head: 'Status',
    width: 'w-36',
    still: 'h-6 w-20 rounded-full',
    cell: (asset) => {
      const { tone, label } = assetStatus(asset);
      return <StatusPill tone={tone}>{label}</StatusPill>;
    },
  },
  {
    head: 'Duration',
    width: 'w-24',
    still: 'h-4 w-10',
    cell: ({ videoSpec }) => (videoSpec ? clockOf(videoSpec.duration) : none),
  },
  {
    head: 'Size',
    width: 'w-24',
    still: 'h-4 w-14',
    className: 'whitespace-nowrap',
    cell: ({ size }) => (size === undefined ? none : sizeInWords(size)),
  },
  { head: 'Source', width: 'w-28', still: 'h-4 w-14', cell: assetSourceWord },
  {
    head: 'Created',
    sort: 'createdAt',
    width: 'w-32',
    still: 'h-4 w-20',
    className: 'whitespace-nowrap',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

function AssetTitle({ asset }: { asset: Asset }) {
  return (
    <div className="flex items-center gap-3 sm:py-2">
      <Thumbnail src={posterOf(asset) ?? undefined} icon={Film} />
      <div className="min-w-0">
        <RowLink href={`/assets/${asset.id}`} className="line-clamp-2">
          {asset.name}
        </RowLink>
        {asset.status.errorMessage !== undefined && (
          <p className="text-live-ink line-clamp-2 text-sm wrap-anywhere">
            {asSentence(asset.status.errorMessage)}
          </p>
        )}
      </div>
    </div>
  );
}

function AssetMenu({ asset, onCopy, onDelete, onRestore }: AssetActions & { asset: Asset }) {
  const { playbackUrl, downloadUrl } = asset;
  return (
    <RowMenu of={asset.name}>
      <MenuItem onSelect={() => onCopy('id', asset)}>
        <Copy aria-hidden="true" />
        Copy asset ID
      </MenuItem>
      {playbackUrl !== undefined && (
        <MenuItem onSelect={() => onCopy('playback', asset)}>
          <Link2 aria-hidden="true" />
          Copy playback URL
        </MenuItem>
      )}
      <MenuItem onSelect={() => onCopy('curl', asset)}>
        <Code aria-hidden="true" />
        Copy as curl
      </MenuItem>
      {downloadUrl !== undefined && (
        <MenuItem onSelect={() => window.location.assign(downloadUrl)}>
          <Download aria-hidden="true" />
          Download MP4
        </MenuItem>
      )}
      <MenuSeparator />
      {isDeleted(asset) ? (
        <MenuItem onSelect={() => onRestore(asset)}>
          <ArchiveRestore aria-hidden="true" />
          Restore asset
        </MenuItem>
      ) : (
        <MenuItem danger onSelect={() => onDelete(asset)}>
          <Trash2 aria-hidden="true" />
          Delete asset
        </MenuItem>
      )}
    </RowMenu>
  );
}
