'use client';

import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { assetFilters, assetListQueryOf, assetListShape, assetSources } from '@/components/assets/asset-list';
import { AssetTable } from '@/components/assets/asset-table';
import { NoAssets } from '@/components/assets/no-assets';
import { Button } from '@/components/ui/button';
import { Chips } from '@/components/ui/chips';
import { ListPager } from '@/components/ui/list-pager';
import { everything, isNarrowed } from '@/components/ui/list-state';
import { ListToolbar } from '@/components/ui/list-toolbar';
import { LoadFailed } from '@/components/ui/load-failed';
import { PageHeader } from '@/components/ui/page-header';
import { Select } from '@/components/ui/select';
import { emptySelection, togglePage, toggleRow } from '@/components/ui/selection';
import { SelectionBar } from '@/components/ui/selection-bar';
import { useAssets } from '@/lib/client/asset-queries';
import type { Asset } from '@/lib/contract/asset';
import { useAddresses } from '../_data/addresses';
import { useListState } from '../_data/use-list-state';
import { copyOfAsset } from './copy-of-asset';
import { DeleteAssets } from './delete-assets';
import { ImportAsset } from './import-asset';
import { UploadButton } from './upload-button';
import { useRestore } from './use-restore';

const REFRESH_MS = 3000;

export function AssetsView() {
  const addresses = useAddresses();
  const { state, change, filter } = useListState(assetListShape);
  const list = useAssets(assetListQueryOf(state), { refetchInterval: REFRESH_MS });
  const restore = useRestore();
  const [selection, setSelection] = useState(emptySelection);
  const [doomed, setDoomed] = useState<readonly Pick<Asset, 'id' | 'name'>[]>([]);

  const page = list.data;
  const rows = page?.items.map(({ id }) => id) ?? [];
  const ticked = page?.items.filter(({ id }) => selection.ids.has(id)) ?? [];
  const narrowed = isNarrowed(state);
  const empty = page?.items.length === 0 && !state.cursor;
  return (
    <>
      <PageHeader
        title="Assets"
        description="Videos that play on demand: uploads, imports and recordings."
        action={
          <>
            <ImportAsset />
            <UploadButton />
          </>
        }
      />
      {!(empty && !narrowed) && (
        <ListToolbar what="assets" search={state.search} onSearch={(search) => change({ search }, 'replace')}>
          <Chips
            label="Filter by state"
            value={state.filters.status ?? everything}
            options={assetFilters}
            onChange={(value) => filter('status', value)}
          />
          <Select
            aria-label="Source"
            value={state.filters.source ?? everything}
            onChange={(event) => filter('source', event.target.value)}
            className="h-8 w-auto text-sm"
          >
            {assetSources.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </ListToolbar>
      )}
      {ticked.length > 0 && (
        <SelectionBar
          summary={ticked.length === 1 ? '1 asset selected' : `${ticked.length} assets selected`}
          onClear={() => setSelection(emptySelection)}
        >
          {state.filters.status === 'deleted' ? (
            <Button
              size="sm"
              variant="primary"
              onClick={() => {
                restore(
                  ticked.map(({ id }) => id),
                  ticked.length === 1 ? '1 asset' : `${ticked.length} assets`,
                );
                setSelection(emptySelection);
              }}
            >
              <ArchiveRestore aria-hidden="true" />
              Restore
            </Button>
          ) : (
            <Button size="sm" variant="danger" onClick={() => setDoomed(ticked)}>
              <Trash2 aria-hidden="true" />
              Delete
            </Button>
          )}
        </SelectionBar>
      )}
      {list.isError && !page ? (
        <LoadFailed what="The assets" error={list.error} onRetry={() => void list.refetch()} />
      ) : empty ? (
        <NoAssets
          narrowed={narrowed}
          baseUrl={addresses?.base}
          action={<UploadButton />}
          onClear={() => change({ search: '', filters: {} })}
        />
      ) : (
        <AssetTable
          assets={page?.items}
          sort={state.sort}
          descending={state.descending}
          selected={selection.ids}
          onSort={(sort) =>
            change({ sort, descending: sort === state.sort ? !state.descending : sort !== 'name' })
          }
          onToggle={(id, range) => setSelection((before) => toggleRow(before, rows, id, range))}
          onToggleAll={() => setSelection((before) => togglePage(before, rows))}
          onCopy={(what, asset) => void copyOfAsset(what, asset, addresses)}
          onDelete={(asset) => setDoomed([asset])}
          onRestore={({ id, name }) => restore([id], `“${name}”`)}
        />
      )}
      {page && !empty && (
        <ListPager
          summary={summaryOf(page.total)}
          size={state.size}
          onSize={(size) => change({ size })}
          onFirst={state.cursor ? () => change({}) : undefined}
          onNext={page.nextCursor ? () => change({ cursor: page.nextCursor }) : undefined}
        />
      )}
      <DeleteAssets
        assets={doomed}
        onClose={() => setDoomed([])}
        onDeleted={() => setSelection(emptySelection)}
      />
    </>
  );
}

function summaryOf(total: number | null): string {
  if (total === null) return '';
  return total === 1 ? '1 asset' : `${total.toLocaleString('en')} assets`;
}
