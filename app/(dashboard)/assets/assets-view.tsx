'use client';

import { type ComponentProps, useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  assetFilters,
  assetListQueryOf,
  assetListShape,
  assetPolicies,
  assetSources,
} from '@/components/assets/asset-list';
import { ReplaceDialog } from '@/components/assets/replace-file';
import { AssetGrid, AssetTable } from '@/components/assets/asset-table';
import { NoAssets } from '@/components/assets/no-assets';
import { Chips } from '@/components/ui/form/chips';
import { ListContent } from '@/components/ui/table/list-content';
import { ListToolbar, ViewChoice } from '@/components/ui/table/list-controls';
import { allValue, isEmptyList, isNarrowed, sortedBy } from '@/components/ui/table/list-state';
import { PageHeader } from '@/components/ui/page-header';
import { Select } from '@/components/ui/form/field';
import { listWholeAssets, useAssets } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import type { BulkOutcome } from '@/lib/client/use-bulk';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { useCopyOf } from '@/components/ui/copy/use-copy-of';
import { useListState } from '@/components/ui/table/use-list-state';
import { useSelection } from '@/components/ui/table/use-selection';
import { ForRole, useMay } from '@/components/teams/use-team';
import { AssetBulkActions, useAssetBulkActions } from '@/components/assets/asset-bulk-actions';
import { ImportAsset } from '@/components/assets/import-form';
import { useServerFeatures } from '@/components/shell/server-features';
import { UploadButton } from '@/components/upload/upload-button';

const REFRESH_MS = 3000;

export function AssetsView() {
  const t = useTranslations('assets.assetsView');
  const urls = usePublicUrls();
  const copyOf = useCopyOf({ path: 'asset', name: 'Asset' });
  const { state, filterKey, change, filter } = useListState(assetListShape);
  const query = assetListQueryOf(state);
  const bulkActions = useAssetBulkActions();
  const { acceptMedia: accept } = useServerFeatures();
  const list = useAssets(query, { refetchInterval: bulkActions.progress ? false : REFRESH_MS });
  const page = list.data;
  const selection = useSelection({ page, filterKey, readAll: () => listWholeAssets(query) });
  const dropDone = ({ succeededIds }: BulkOutcome) => selection.deselect(succeededIds);
  const [toReplace, setToReplace] = useState<Asset | null>(null);
  const mayChange = useMay('developer');
  const isFiltered = isNarrowed(state);
  const empty = isEmptyList(page, state);
  const gridProps: ComponentProps<typeof AssetGrid> = {
    assets: page?.items,
    selection: mayChange ? selection.tableSelection : undefined,
    onCopy: (kind, asset) => void copyOf(kind, asset, urls),
    onReplace: setToReplace,
    onDelete: (asset) => bulkActions.askToDelete([asset], dropDone),
    onRestore: (asset) => bulkActions.restore([asset], dropDone),
  };
  return (
    <>
      <PageHeader
        title={t('assets')}
        description={t(`description.${accept}`)}
        action={
          <>
            <ForRole>
              <ImportAsset />
            </ForRole>
            <UploadButton />
          </>
        }
      />
      {!(empty && !isFiltered) && (
        <ListToolbar
          subject={t('assetsNoun')}
          hint={t('search')}
          search={state.search}
          onSearch={(search) => change({ search }, 'replace')}
        >
          <Chips
            label={t('filterByState')}
            value={state.filters.status ?? allValue}
            options={assetFilters.map((value) => ({ value, label: t(`filter.${value}`) }))}
            onChange={(value) => filter('status', value)}
          />
          <Select
            aria-label={t('source')}
            value={state.filters.source ?? allValue}
            onChange={(event) => filter('source', event.target.value)}
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
            value={state.filters.policy ?? allValue}
            onChange={(event) => filter('policy', event.target.value)}
            className="h-8 w-auto text-sm"
          >
            {assetPolicies.map((value) => (
              <option key={value} value={value}>
                {t(`policies.${value}`)}
              </option>
            ))}
          </Select>
          <ViewChoice
            view={state.view}
            onChange={(view) => change({ view, cursor: state.cursor }, 'replace')}
          />
        </ListToolbar>
      )}
      <ListContent
        list={list}
        subject={t('theAssets')}
        state={state}
        countedAs={(count) => t('counted', { count })}
        onChange={change}
        empty={
          <NoAssets
            isFiltered={isFiltered}
            baseUrl={urls?.baseUrl}
            onClear={() => change({ search: '', filters: {} })}
          />
        }
      >
        {state.view === 'grid' ? (
          <AssetGrid {...gridProps} />
        ) : (
          <AssetTable
            {...gridProps}
            sorting={{ ...state, onSort: (field) => change(sortedBy(state, field)) }}
          />
        )}
      </ListContent>
      <AssetBulkActions
        selection={selection}
        progress={bulkActions.progress}
        isInTrash={state.filters.status === 'deleted'}
        onTag={(rows, tag) => bulkActions.addTag(rows, tag, dropDone)}
        onPolicy={(rows, policy) => bulkActions.setPolicy(rows, policy, dropDone)}
        onDelete={(rows) => bulkActions.askToDelete(rows, dropDone)}
        onRestore={(rows) => bulkActions.restore(rows, dropDone)}
      />
      {toReplace && <ReplaceDialog asset={toReplace} open onOpenChange={() => setToReplace(null)} />}
      {bulkActions.dialogs}
    </>
  );
}
