'use client';

import {
  ArchiveRestore,
  AudioLines,
  Code,
  Copy,
  Download,
  FileDown,
  Film,
  Link2,
  Trash2,
} from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Language } from '@/messages/languages';
import type { Words } from '@/components/i18n/words';
import { sizeInWords } from '@/components/ui/figures';
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
import { DataGrid } from '@/components/ui/table/data-grid';
import { RelativeTime } from '@/components/ui/relative-time';
import { RowMenu } from '@/components/ui/table/failed-items';
import { StatusPill } from '@/components/ui/status-pill';
import { PolicyBadge } from '@/components/access/policy-badge';
import { ForRole } from '@/components/teams/use-team';
import { useLatestCall } from '@/components/ui/use-latest-call';
import { isGated } from '@/lib/core/access/playback-policy';
import type { Asset } from '@/lib/contract/assets/asset';
import type { AssetSortField } from './asset-list';
import { TagList } from './tags-panel';
import {
  assetSourceWord,
  assetStatus,
  clockOf,
  isConverted,
  isDeleted,
  posterOf,
  previewOf,
} from './asset-words';
import { audioLink, downloadLink, originalLink } from '@/lib/client/queries/addresses';

interface AssetActions {
  onCopy: (what: 'id' | 'playback' | 'curl', asset: Asset) => void;
  onDelete: (asset: Asset) => void;
  onRestore: (asset: Asset) => void;
}

interface AssetListProps extends AssetActions {
  /** undefined = not loaded yet. */
  assets: readonly Asset[] | undefined;
  /** undefined: rows can't be ticked. */
  selection: DataSelection | undefined;
}

/** The same as pictures. */
export function AssetGrid({ assets, selection, ...actions }: AssetListProps) {
  const t = useTranslations('assets.assetTable');
  const words = useTranslations('assets.assetWords');
  return (
    <DataGrid
      label={t('assets')}
      rows={assets}
      nameOf={({ name }) => name}
      hrefOf={({ id }) => `/assets/${id}`}
      pictureOf={(asset) => posterOf(asset) ?? undefined}
      animatedOf={(asset) => previewOf(asset) ?? undefined}
      icon={Film}
      status={(asset) => {
        const { tone, label } = assetStatus(words, asset);
        return (
          <span className="flex items-center gap-2">
            <StatusPill tone={tone}>{label}</StatusPill>
            <PolicyBadge policy={asset.playbackPolicy} />
          </span>
        );
      }}
      facts={(asset) => (
        <>
          {asset.videoSpec && `${clockOf(asset.videoSpec.duration)} · `}
          {assetSourceWord(words, asset)} · <RelativeTime at={asset.createdAt} />
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
  const words = useTranslations('assets.assetWords');
  const language = useLocale();
  const columns = useMemo(() => columnsOf(t, words, language), [t, words, language]);
  const onCopy = useLatestCall(actions.onCopy);
  const onDelete = useLatestCall(actions.onDelete);
  const onRestore = useLatestCall(actions.onRestore);
  const menu = useCallback(
    (asset: Asset) => <AssetMenu asset={asset} onCopy={onCopy} onDelete={onDelete} onRestore={onRestore} />,
    [onCopy, onDelete, onRestore],
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

const columnsOf = (
  t: Words<'assets.assetTable'>,
  words: Words<'assets.assetWords'>,
  language: Language,
): readonly Column[] => [
  {
    head: t('name'),
    sort: 'name',
    still: picturedNameStill,
    cell: (asset) => (
      <PicturedName
        name={asset.name}
        href={`/assets/${asset.id}`}
        picture={posterOf(asset) ?? undefined}
        animated={previewOf(asset) ?? undefined}
        icon={Film}
        badge={<PolicyBadge policy={asset.playbackPolicy} small />}
      >
        {asset.tags && <TagList tags={asset.tags} />}
        {asset.status.errorMessage !== undefined && (
          <p className="text-live-ink line-clamp-2 text-sm wrap-anywhere">
            {asSentence(asset.status.errorMessage)}
          </p>
        )}
      </PicturedName>
    ),
  },
  {
    head: t('status'),
    phone: true,
    width: 'w-36',
    still: 'h-6 w-20 rounded-full',
    cell: (asset) => {
      const { tone, label } = assetStatus(words, asset);
      return <StatusPill tone={tone}>{label}</StatusPill>;
    },
  },
  {
    head: t('duration'),
    phone: true,
    width: 'w-24',
    still: 'h-4 w-10',
    cell: ({ videoSpec }) => (videoSpec ? clockOf(videoSpec.duration) : none),
  },
  {
    head: t('size'),
    width: 'w-24',
    still: 'h-4 w-14',
    className: 'whitespace-nowrap',
    cell: ({ size }) => (size === undefined ? none : sizeInWords(size, language)),
  },
  {
    head: t('source'),
    phone: true,
    width: 'w-28',
    still: 'h-4 w-14',
    cell: (asset) => assetSourceWord(words, asset),
  },
  { ...createdColumn, head: t('created'), sort: 'createdAt' },
];

function AssetMenu({ asset, onCopy, onDelete, onRestore }: AssetActions & { asset: Asset }) {
  const t = useTranslations('assets.assetTable');
  const { playbackUrl, downloadUrl, videoSpec } = asset;
  const tracks = videoSpec?.tracks ?? [];
  return (
    <RowMenu of={asset.name}>
      <MenuItem icon={Copy} onSelect={() => onCopy('id', asset)}>
        {t('copyAssetId')}
      </MenuItem>
      {playbackUrl !== undefined && (
        <MenuItem icon={Link2} onSelect={() => onCopy('playback', asset)}>
          {t('copyPlaybackUrl')}
        </MenuItem>
      )}
      <MenuItem icon={Code} onSelect={() => onCopy('curl', asset)}>
        {t('copyAsCurl')}
      </MenuItem>
      {/* A gated file needs a token, which its page has. */}
      {downloadUrl !== undefined && !isGated(asset.playbackPolicy ?? { type: 'public' }) && (
        <MenuItem icon={Download} onSelect={() => window.location.assign(downloadLink(downloadUrl))}>
          {t('downloadMp4')}
        </MenuItem>
      )}
      {downloadUrl !== undefined && tracks.some(({ type }) => type === 'audio') && (
        <MenuItem icon={AudioLines} onSelect={() => window.location.assign(audioLink(downloadUrl))}>
          {t('downloadAudio')}
        </MenuItem>
      )}
      {downloadUrl !== undefined && isConverted(asset) && (
        <MenuItem icon={FileDown} onSelect={() => window.location.assign(originalLink(downloadUrl))}>
          {t('downloadOriginal')}
        </MenuItem>
      )}
      <ForRole>
        <MenuSeparator />
        {isDeleted(asset) ? (
          <MenuItem icon={ArchiveRestore} onSelect={() => onRestore(asset)}>
            {t('restoreAsset')}
          </MenuItem>
        ) : (
          <MenuItem icon={Trash2} danger onSelect={() => onDelete(asset)}>
            {t('deleteAsset')}
          </MenuItem>
        )}
      </ForRole>
    </RowMenu>
  );
}
