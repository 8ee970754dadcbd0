'use client';

import { ArchiveRestore, Code, Copy, Download, Film, Link2, Trash2 } from 'lucide-react';
import { useCallback } from 'react';
import { asSentence } from '@/components/ui/form/server-sentences';
import {
  DataTable,
  type DataColumn,
  type DataSelection,
  type DataSorting,
} from '@/components/ui/table/data-table';
import { createdColumn, PicturedName, picturedNameStill } from '@/components/ui/table/list-columns';
import { MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { none } from '@/components/ui/empty-state';
import { sizeInWords } from '@/components/ui/time-words';
import { DataGrid } from '@/components/ui/table/data-grid';
import { RelativeTime } from '@/components/ui/relative-time';
import { RowMenu } from '@/components/ui/table/failed-items';
import { StatusPill } from '@/components/ui/status-pill';
import { useLatestCall } from '@/components/ui/use-latest-call';
import type { Asset } from '@/lib/contract/assets/asset';
import type { AssetSortField } from './asset-list';
import { assetSourceWord, assetStatus, clockOf, isDeleted, posterOf } from './asset-words';
import { downloadLink } from '@/lib/client/queries/addresses';

interface AssetActions {
  onCopy: (what: 'id' | 'playback' | 'curl', asset: Asset) => void;
  onDelete: (asset: Asset) => void;
  onRestore: (asset: Asset) => void;
}

interface AssetListProps extends AssetActions {
  /** undefined = not loaded yet. */
  assets: readonly Asset[] | undefined;
  selection: DataSelection;
}

/** The same as pictures. */
export function AssetGrid({ assets, selection, ...actions }: AssetListProps) {
  return (
    <DataGrid
      label="Assets"
      rows={assets}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/assets/${id}`}
      pictureOf={(asset) => posterOf(asset) ?? undefined}
      icon={Film}
      status={(asset) => {
        const { tone, label } = assetStatus(asset);
        return <StatusPill tone={tone}>{label}</StatusPill>;
      }}
      facts={(asset) => (
        <>
          {asset.videoSpec && `${clockOf(asset.videoSpec.duration)} · `}
          {assetSourceWord(asset)} · <RelativeTime at={asset.createdAt} />
        </>
      )}
      selection={selection}
      menu={(asset) => <AssetMenu asset={asset} {...actions} />}
    />
  );
}

interface AssetTableProps extends AssetListProps {
  sorting: DataSorting<AssetSortField>;
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
    still: picturedNameStill,
    cell: (asset) => (
      <PicturedName
        name={asset.name}
        href={`/assets/${asset.id}`}
        picture={posterOf(asset) ?? undefined}
        icon={Film}
      >
        {asset.status.errorMessage !== undefined && (
          <p className="text-live-ink line-clamp-2 text-sm wrap-anywhere">
            {asSentence(asset.status.errorMessage)}
          </p>
        )}
      </PicturedName>
    ),
  },
  {
    head: 'Status',
    phone: true,
    width: 'w-36',
    still: 'h-6 w-20 rounded-full',
    cell: (asset) => {
      const { tone, label } = assetStatus(asset);
      return <StatusPill tone={tone}>{label}</StatusPill>;
    },
  },
  {
    head: 'Duration',
    phone: true,
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
  { head: 'Source', phone: true, width: 'w-28', still: 'h-4 w-14', cell: assetSourceWord },
  { ...createdColumn, sort: 'createdAt' },
];

function AssetMenu({ asset, onCopy, onDelete, onRestore }: AssetActions & { asset: Asset }) {
  const { playbackUrl, downloadUrl } = asset;
  return (
    <RowMenu of={asset.name}>
      <MenuItem icon={Copy} onSelect={() => onCopy('id', asset)}>
        Copy asset ID
      </MenuItem>
      {playbackUrl !== undefined && (
        <MenuItem icon={Link2} onSelect={() => onCopy('playback', asset)}>
          Copy playback URL
        </MenuItem>
      )}
      <MenuItem icon={Code} onSelect={() => onCopy('curl', asset)}>
        Copy as curl
      </MenuItem>
      {downloadUrl !== undefined && (
        <MenuItem icon={Download} onSelect={() => window.location.assign(downloadLink(downloadUrl))}>
          Download MP4
        </MenuItem>
      )}
      <MenuSeparator />
      {isDeleted(asset) ? (
        <MenuItem icon={ArchiveRestore} onSelect={() => onRestore(asset)}>
          Restore asset
        </MenuItem>
      ) : (
        <MenuItem icon={Trash2} danger onSelect={() => onDelete(asset)}>
          Delete asset
        </MenuItem>
      )}
    </RowMenu>
  );
}
