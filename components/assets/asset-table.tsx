'use client';

import { Film } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Language } from '@/messages/languages';
import type { Translator } from '@/components/i18n/messages';
import { formatSize } from '@/components/ui/figures';
import { asSentence } from '@/components/ui/form/server-messages';
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
} from '@/components/ui/table/list-columns';
import { emptyCell } from '@/components/ui/empty-state';
import { DataGrid } from '@/components/ui/table/data-grid';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill } from '@/components/ui/status-pill';
import { PolicyBadge } from '@/components/access/policy-badge';
import { useLatestCall } from '@/components/ui/use-latest-call';
import type { Asset } from '@/lib/contract/assets/asset';
import type { AssetSortField } from './asset-list';
import { type AssetActions, AssetMenu } from './asset-menu';
import { formatMinutes } from '@/components/usage/usage-figures';
import { TagList } from './tag-list';
import { assetSourceLabel, assetStatus, formatVideoDuration, posterUrlOf, previewUrlOf } from './asset-text';
import { useTranslateMessage } from '@/components/i18n/reasons';
import type { TranslateMessage } from '@/lib/client/server-messages';

interface AssetListProps extends AssetActions {
  /** Undefined while loading. */
  assets: readonly Asset[] | undefined;
  /** Undefined if rows cannot be selected. */
  selection: DataSelection | undefined;
}

export function AssetGrid({ assets, selection, ...actions }: AssetListProps) {
  const t = useTranslations('assets.assetTable');
  const tAssetText = useTranslations('assets.assetText');
  return (
    <DataGrid
      label={t('assets')}
      rows={assets}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/assets/${id}`}
      thumbnailUrlOf={(asset) => posterUrlOf(asset) ?? undefined}
      previewUrlOf={(asset) => previewUrlOf(asset) ?? undefined}
      icon={Film}
      status={(asset) => {
        const { tone, label } = assetStatus(tAssetText, asset);
        return (
          <span className="flex items-center gap-2">
            <StatusPill tone={tone}>{label}</StatusPill>
            <PolicyBadge policy={asset.playbackPolicy} />
          </span>
        );
      }}
      facts={(asset) => (
        <>
          {asset.videoSpec && `${formatVideoDuration(asset.videoSpec.duration)} · `}
          {assetSourceLabel(tAssetText, asset)} · <RelativeTime at={asset.createdAt} />
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
  const t = useTranslations('assets.assetTable');
  const tAssetText = useTranslations('assets.assetText');
  const language = useLocale();
  const translateMessage = useTranslateMessage();
  const columns = useMemo(
    () => columnsOf(t, tAssetText, language, translateMessage),
    [t, tAssetText, language, translateMessage],
  );
  const onCopy = useLatestCall(actions.onCopy);
  const onReplace = useLatestCall(actions.onReplace);
  const onDelete = useLatestCall(actions.onDelete);
  const onRestore = useLatestCall(actions.onRestore);
  const menu = useCallback(
    (asset: Asset) => (
      <AssetMenu
        asset={asset}
        onCopy={onCopy}
        onReplace={onReplace}
        onDelete={onDelete}
        onRestore={onRestore}
      />
    ),
    [onCopy, onReplace, onDelete, onRestore],
  );
  return (
    <DataTable
      label={t('assets')}
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

/** Layout of columns that only wide tables show. The page of the asset shows the same facts. */
const wideTableColumn = {
  width: 'w-24 whitespace-nowrap @max-[68rem]:hidden',
  skeleton: 'h-4 w-10',
  className: 'whitespace-nowrap @max-[68rem]:hidden',
} as const;

const columnsOf = (
  t: Translator<'assets.assetTable'>,
  tAssetText: Translator<'assets.assetText'>,
  language: Language,
  translateMessage: TranslateMessage,
): readonly Column[] => [
  {
    head: t('name'),
    sort: 'name',
    skeleton: nameWithThumbnailPlaceholder,
    cell: (asset) => (
      <NameWithThumbnail
        name={asset.name}
        href={`/assets/${asset.id}`}
        thumbnailUrl={posterUrlOf(asset) ?? undefined}
        animatedSrc={previewUrlOf(asset) ?? undefined}
        icon={Film}
        badge={<PolicyBadge policy={asset.playbackPolicy} iconOnly />}
      >
        {asset.tags && <TagList tags={asset.tags} />}
        {asset.status.errorMessage !== undefined && (
          <p className="text-live-ink line-clamp-2 text-sm wrap-anywhere">
            {asSentence(translateMessage(asset.status.errorMessage, asset.status.errorReason))}
          </p>
        )}
      </NameWithThumbnail>
    ),
  },
  {
    head: t('status'),
    phone: true,
    width: 'w-36',
    skeleton: 'h-6 w-20 rounded-full',
    cell: (asset) => {
      const { tone, label } = assetStatus(tAssetText, asset);
      return <StatusPill tone={tone}>{label}</StatusPill>;
    },
  },
  {
    head: t('duration'),
    phone: true,
    width: 'w-24',
    skeleton: 'h-4 w-10',
    cell: ({ videoSpec }) => (videoSpec ? formatVideoDuration(videoSpec.duration) : emptyCell),
  },
  {
    head: t('views'),
    sort: 'views',
    width: 'w-24 whitespace-nowrap @max-[55rem]:hidden',
    skeleton: 'h-4 w-10',
    className: '@max-[55rem]:hidden',
    cell: ({ views }) => views?.toLocaleString(language) ?? emptyCell,
  },
  {
    head: t('watchTime'),
    sort: 'deliveredMinutes',
    ...wideTableColumn,
    cell: ({ deliveredMinutes }) =>
      deliveredMinutes === undefined
        ? emptyCell
        : t('minutes', { minutes: formatMinutes(language, deliveredMinutes) }),
  },
  {
    head: t('size'),
    ...wideTableColumn,
    cell: ({ size }) => (size === undefined ? emptyCell : formatSize(size, language)),
  },
  {
    head: t('source'),
    phone: true,
    width: 'w-28 @max-3xl:hidden',
    skeleton: 'h-4 w-14',
    className: 'sm:@max-3xl:hidden',
    cell: (asset) => assetSourceLabel(tAssetText, asset),
  },
  { ...createdColumn, head: t('created'), sort: 'createdAt' },
];
