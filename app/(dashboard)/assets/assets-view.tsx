'use client';

import type { ComponentProps } from 'react';
import { assetFilters, assetListQueryOf, assetListShape, assetSources } from '@/components/assets/asset-list';
import { AssetGrid, AssetTable } from '@/components/assets/asset-table';
import { NoAssets } from '@/components/assets/no-assets';
import { Chips } from '@/components/ui/form/chips';
import { ListPager, ListToolbar, ViewChoice } from '@/components/ui/table/list-controls';
import { everything, isNarrowed, sortedBy } from '@/components/ui/table/list-state';
import { LoadFailed } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { Select } from '@/components/ui/form/field';
import { listWholeAssets, useAssets } from '@/lib/client/queries/asset-queries';
import type { Outcome } from '@/lib/client/use-bulk';
import { useAddresses } from '@/lib/client/queries/addresses';
import { copyOf } from '@/components/ui/copy/copy-of';
import { useListState } from '@/components/ui/table/use-list-state';
import { useSelection } from '@/components/ui/table/use-selection';
import { AssetOrders, useAssetOrders } from '@/components/assets/asset-orders';
import { ImportAsset } from '@/components/assets/import-form';
import { acceptedFiles } from '@/components/upload/choose-files';
import { UploadButton } from '@/components/upload/upload-button';

const REFRESH_MS = 3000;

export function AssetsView() {
  const addresses = useAddresses();
  const { state, narrowing, change, filter } = useListState(assetListShape);
  const query = assetListQueryOf(state);
  const orders = useAssetOrders();
  const list = useAssets(query, { refetchInterval: orders.progress ? false : REFRESH_MS });
  const page = list.data;
  const selection = useSelection({ page, narrowing, readAll: () => listWholeAssets(query) });
  const dropDone = ({ done }: Outcome) => selection.drop(done);
  const narrowed = isNarrowed(state);
  const empty = page?.items.length === 0 && !state.cursor;
  const shown: ComponentProps<typeof AssetGrid> = {
    assets: page?.items,
    selection: selection.ticks,
    onCopy: (what, asset) => void copyOf('Asset', what, asset, addresses),
    onDelete: (asset) => orders.askToDelete([asset], dropDone),
    onRestore: (asset) => orders.restore([asset], dropDone),
  };
  return (
    <>
      <PageHeader
        title="Assets"
        description={`Videos that play on demand: uploads, imports and recordings. ${acceptedFiles}`}
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
          <ViewChoice
            view={state.view}
            onChange={(view) => change({ view, cursor: state.cursor }, 'replace')}
          />
        </ListToolbar>
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
      ) : state.view === 'grid' ? (
        <AssetGrid {...shown} />
      ) : (
        <AssetTable {...shown} sorting={{ ...state, onSort: (field) => change(sortedBy(state, field)) }} />
      )}
      {page && !empty && <ListPager what="asset" page={page} state={state} onChange={change} />}
      <AssetOrders
        selection={selection}
        progress={orders.progress}
        deleted={state.filters.status === 'deleted'}
        onDelete={(rows) => orders.askToDelete(rows, dropDone)}
        onRestore={(rows) => orders.restore(rows, dropDone)}
      />
      {orders.dialogs}
    </>
  );
}
