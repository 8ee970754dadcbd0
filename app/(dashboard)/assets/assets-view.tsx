'use client';

import { type ComponentProps, useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  assetFilters,
  assetListQueryOf,
  assetListOptions,
  assetPolicies,
  assetSources,
} from '@/components/assets/asset-list';
import { ReplaceFileDialog } from '@/components/assets/replace-file';
import { AssetGrid, AssetTable } from '@/components/assets/asset-table';
import { EmptyAssetList } from '@/components/assets/no-assets';
import { FilterChips } from '@/components/ui/form/chips';
import { ListContent } from '@/components/ui/table/list-content';
import { ListToolbar, ViewToggle } from '@/components/ui/table/list-controls';
import { ALL_FILTER_VALUE, isEmptyList, hasActiveFilters, sortedBy } from '@/components/ui/table/list-state';
import { SiblingNav } from '@/components/shell/sibling-nav';
import { PageHeader } from '@/components/ui/page-header';
import { Select } from '@/components/ui/form/field';
import { readWholeAssetList, useAssets } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import type { BulkOutcome } from '@/lib/client/use-bulk';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { useCopyValue } from '@/components/ui/copy/use-copy-value';
import { useListState } from '@/components/ui/table/use-list-state';
import { useSelection } from '@/components/ui/table/use-selection';
import { IfPermitted, useHasRole } from '@/components/teams/use-team';
import { AssetBulkActions, useAssetBulkActions } from '@/components/assets/asset-bulk-actions';
import { ImportAssetDialog } from '@/components/assets/import-form';
import { useServerFeatures } from '@/components/shell/server-features';
import { UploadButton } from '@/components/upload/upload-button';

const REFRESH_INTERVAL_MS = 3000;

export function AssetsView() {
  const t = useTranslations('assets.assetsView');
  const urls = usePublicUrls();
  const copyValue = useCopyValue('asset');
  const { state, filterKey, updateListState, setFilter } = useListState(assetListOptions);
  const query = assetListQueryOf(state);
  const bulkActions = useAssetBulkActions();
  const { acceptMedia } = useServerFeatures();
  const assets = useAssets(query, { refetchInterval: bulkActions.progress ? false : REFRESH_INTERVAL_MS });
  const page = assets.data;
  const selection = useSelection({ page, filterKey, loadAll: () => readWholeAssetList(query) });
  const deselectSucceeded = ({ succeededIds }: BulkOutcome) => selection.deselect(succeededIds);
  const [assetToReplace, setAssetToReplace] = useState<Asset | null>(null);
  const mayChange = useHasRole('developer');
  const isFiltered = hasActiveFilters(state);
  const isEmpty = isEmptyList(page, state);
  const tableProps: ComponentProps<typeof AssetGrid> = {
    assets: page?.items,
    selection: mayChange ? selection.tableSelection : undefined,
    onCopy: (kind, asset) => void copyValue(kind, asset, urls),
    onReplace: setAssetToReplace,
    onDelete: (asset) => bulkActions.askToDelete([asset], deselectSucceeded),
    onRestore: (asset) => bulkActions.restore([asset], deselectSucceeded),
  };
  return (
    <>
      <PageHeader
        nav={<SiblingNav />}
        title={t('assets')}
        description={t(`description.${acceptMedia}`)}
        action={
          <>
            <IfPermitted>
              <ImportAssetDialog />
            </IfPermitted>
            <UploadButton />
          </>
        }
      />
      {!(isEmpty && !isFiltered) && (
        <ListToolbar
          subject={t('assetsNoun')}
          hint={t('search')}
          search={state.search}
          onSearch={(search) => updateListState({ search }, 'replace')}
        >
          <FilterChips
            label={t('filterByState')}
            value={state.filters.status ?? ALL_FILTER_VALUE}
            options={assetFilters.map((value) => ({ value, label: t(`filter.${value}`) }))}
            onChange={(value) => setFilter('status', value)}
          />
          <Select
            aria-label={t('source')}
            value={state.filters.source ?? ALL_FILTER_VALUE}
            onChange={(event) => setFilter('source', event.target.value)}
            className="h-8 w-auto text-sm"
          >
            {assetSources.map((value) => (
              <option key={value} value={value}>
                {t(`sources.${value}`)}
              </option>
            ))}
          </Select>
          <Select
            aria-label={t('access')}
            value={state.filters.policy ?? ALL_FILTER_VALUE}
            onChange={(event) => setFilter('policy', event.target.value)}
            className="h-8 w-auto text-sm"
          >
            {assetPolicies.map((value) => (
              <option key={value} value={value}>
                {t(`policies.${value}`)}
              </option>
            ))}
          </Select>
          <ViewToggle
            view={state.view}
            onChange={(view) => updateListState({ view, cursor: state.cursor }, 'replace')}
          />
        </ListToolbar>
      )}
      <ListContent
        query={assets}
        itemsLabel={t('theAssets')}
        state={state}
        formatCount={(count) => t('rowCount', { count })}
        onChange={updateListState}
        empty={
          <EmptyAssetList
            isFiltered={isFiltered}
            baseUrl={urls?.baseUrl}
            onShowAll={() => updateListState({ search: '', filters: {} })}
          />
        }
      >
        {state.view === 'grid' ? (
          <AssetGrid {...tableProps} />
        ) : (
          <AssetTable
            {...tableProps}
            sorting={{ ...state, onSort: (field) => updateListState(sortedBy(state, field)) }}
          />
        )}
      </ListContent>
      <AssetBulkActions
        selection={selection}
        progress={bulkActions.progress}
        isInTrash={state.filters.status === 'deleted'}
        onTag={(rows, tag) => bulkActions.addTag(rows, tag, deselectSucceeded)}
        onPolicy={(rows, policy) => bulkActions.setPolicy(rows, policy, deselectSucceeded)}
        onDelete={(rows) => bulkActions.askToDelete(rows, deselectSucceeded)}
        onRestore={(rows) => bulkActions.restore(rows, deselectSucceeded)}
      />
      {assetToReplace && <ReplaceFileDialog asset={assetToReplace} onClose={() => setAssetToReplace(null)} />}
      {bulkActions.dialogs}
    </>
  );
}
