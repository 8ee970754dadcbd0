import { ArchiveRestore, Code, Copy, Download, Ellipsis, Link2, Trash2 } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { asSentence } from '@/components/ui/as-sentence';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { sizeInWords } from '@/components/ui/quantities';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import { Cell, Column, Row, Table, type SortDirection } from '@/components/ui/table';
import type { Asset } from '@/lib/contract/asset';
import type { AssetSortField } from './asset-list';
import { AssetThumb } from './asset-thumb';
import { assetSourceWord, assetStatus, clockOf, isDeleted, posterOf } from './asset-words';

export type AssetCopy = 'id' | 'playback' | 'curl';

interface AssetTableProps {
  /** undefined = not loaded yet. */
  assets: readonly Asset[] | undefined;
  sort: AssetSortField;
  descending: boolean;
  selected: ReadonlySet<string>;
  onSort: (field: AssetSortField) => void;
  onToggle: (id: string, range: boolean) => void;
  onToggleAll: () => void;
  onCopy: (what: AssetCopy, asset: Asset) => void;
  onDelete: (asset: Asset) => void;
  onRestore: (asset: Asset) => void;
}

const SKELETON_ROWS = 6;

export function AssetTable(props: AssetTableProps) {
  const { assets, selected } = props;
  const ticked = assets?.filter(({ id }) => selected.has(id)).length ?? 0;
  const sorting = (field: AssetSortField) => ({
    sort: sortOf(props, field),
    onSort: () => props.onSort(field),
  });
  return (
    <Table
      label="Assets"
      head={
        <>
          <Column className="w-10 pr-0">
            <Checkbox
              label="Select all on this page"
              checked={ticked > 0 && ticked === assets?.length}
              mixed={ticked > 0 && ticked < (assets?.length ?? 0)}
              onToggle={props.onToggleAll}
            />
          </Column>
          <Column {...sorting('name')}>Name</Column>
          <Column className="w-36">Status</Column>
          <Column className="w-24">Duration</Column>
          <Column className="w-24">Size</Column>
          <Column className="w-28">Source</Column>
          <Column className="w-32" {...sorting('createdAt')}>
            Created
          </Column>
          <Column className="w-14">
            <span className="sr-only">Actions</span>
          </Column>
        </>
      }
    >
      {assets
        ? assets.map((asset) => <AssetRow key={asset.id} asset={asset} {...props} />)
        : Array.from({ length: SKELETON_ROWS }, (_, index) => <SkeletonRow key={index} />)}
    </Table>
  );
}

function sortOf({ sort, descending }: AssetTableProps, field: AssetSortField): SortDirection | null {
  return field === sort ? (descending ? 'descending' : 'ascending') : null;
}

function AssetRow({ asset, selected, onToggle, onCopy, ...acts }: AssetTableProps & { asset: Asset }) {
  const { tone, label } = assetStatus(asset);
  return (
    <Cells
      selected={selected.has(asset.id)}
      tick={
        <Checkbox
          label={`Select ${asset.name}`}
          checked={selected.has(asset.id)}
          onToggle={(range) => onToggle(asset.id, range)}
        />
      }
      name={
        <div className="flex items-center gap-3 sm:py-2">
          <AssetThumb poster={posterOf(asset)} />
          <div className="min-w-0">
            <Link
              href={`/assets/${asset.id}`}
              className="hover:text-accent-ink line-clamp-2 font-medium wrap-anywhere underline-offset-4 hover:underline"
            >
              {asset.name}
            </Link>
            {asset.status.errorMessage !== undefined && (
              <p className="text-live-ink line-clamp-2 text-sm wrap-anywhere">
                {asSentence(asset.status.errorMessage)}
              </p>
            )}
          </div>
        </div>
      }
      status={<StatusPill tone={tone}>{label}</StatusPill>}
      duration={asset.videoSpec ? clockOf(asset.videoSpec.duration) : <span className="text-ink-3">–</span>}
      size={asset.size === undefined ? <span className="text-ink-3">–</span> : sizeInWords(asset.size)}
      source={assetSourceWord(asset)}
      created={<RelativeTime at={asset.createdAt} />}
      menu={<RowMenu asset={asset} onCopy={onCopy} onDelete={acts.onDelete} onRestore={acts.onRestore} />}
    />
  );
}

function RowMenu({
  asset,
  onCopy,
  onDelete,
  onRestore,
}: Pick<AssetTableProps, 'onCopy' | 'onDelete' | 'onRestore'> & { asset: Asset }) {
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Actions for ${asset.name}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={() => onCopy('id', asset)}>
        <Copy aria-hidden="true" />
        Copy asset ID
      </MenuItem>
      {asset.playbackUrl !== undefined && (
        <MenuItem onSelect={() => onCopy('playback', asset)}>
          <Link2 aria-hidden="true" />
          Copy playback URL
        </MenuItem>
      )}
      <MenuItem onSelect={() => onCopy('curl', asset)}>
        <Code aria-hidden="true" />
        Copy as curl
      </MenuItem>
      {asset.downloadUrl !== undefined && (
        <MenuItem onSelect={() => window.location.assign(asset.downloadUrl ?? '')}>
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
    </Menu>
  );
}

function SkeletonRow() {
  return (
    <Cells
      tick={<Skeleton className="size-4" />}
      name={
        <span className="flex items-center gap-3">
          <Skeleton className="h-9 w-16" />
          <Skeleton className="h-4 w-40" />
        </span>
      }
      status={<Skeleton className="h-6 w-20 rounded-full" />}
      duration={<Skeleton className="h-4 w-10" />}
      size={<Skeleton className="h-4 w-14" />}
      source={<Skeleton className="h-4 w-14" />}
      created={<Skeleton className="h-4 w-20" />}
      menu={<Skeleton className="size-8" />}
    />
  );
}

type CellName = 'tick' | 'name' | 'status' | 'duration' | 'size' | 'source' | 'created' | 'menu';

/** One row, so that the still shapes stand exactly where the data will. */
function Cells({ selected = false, ...cells }: Record<CellName, ReactNode> & { selected?: boolean }) {
  return (
    <Row selected={selected}>
      <Cell className="pr-0 max-sm:absolute max-sm:top-5 max-sm:left-4">{cells.tick}</Cell>
      <Cell className="max-sm:mb-2 max-sm:pr-9 max-sm:pl-8">{cells.name}</Cell>
      <Cell label="Status">{cells.status}</Cell>
      <Cell label="Duration">{cells.duration}</Cell>
      <Cell label="Size" className="whitespace-nowrap">
        {cells.size}
      </Cell>
      <Cell label="Source">{cells.source}</Cell>
      <Cell label="Created" className="whitespace-nowrap">
        {cells.created}
      </Cell>
      <Cell className="max-sm:absolute max-sm:top-3 max-sm:right-2">{cells.menu}</Cell>
    </Row>
  );
}
