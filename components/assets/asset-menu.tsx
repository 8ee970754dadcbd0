'use client';

import {
  ArchiveRestore,
  AudioLines,
  Code,
  Copy,
  Download,
  FileDown,
  Link2,
  Replace,
  Scaling,
  Send,
  Trash2,
} from 'lucide-react';
import { useTranslations } from 'use-intl';
import { IfPermitted } from '@/components/teams/use-team';
import { MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { RowMenu } from '@/components/ui/table/row-menu';
import { audioLink, downloadLink, originalLink } from '@/lib/client/queries/public-urls';
import type { Asset } from '@/lib/contract/assets/asset';
import { isRestricted } from '@/lib/core/access/playback-policy';
import { hasVideo, isConverted, isDeleted } from './asset-text';
import { isReplaceable } from './replace-file';

/** Actions on one asset, which the page performs. */
export interface AssetActions {
  onCopy: (kind: 'id' | 'playback' | 'curl', asset: Asset) => void;
  onReplace: (asset: Asset) => void;
  onDelete: (asset: Asset) => void;
  onRestore: (asset: Asset) => void;
}

interface AssetMenuProps extends AssetActions {
  asset: Asset;
  /** Opens the form for a transcode of an asset with video; absent: not offered. */
  onTranscode?: (asset: Asset) => void;
  /** Opens the form for an export; absent: not offered. */
  onExport?: (asset: Asset) => void;
  /** Whether the menu is open initially. */
  defaultOpen?: boolean;
}

/** Further actions for one asset, in a list and on its page. */
export function AssetMenu(props: AssetMenuProps) {
  const { asset, onCopy, onReplace, onDelete, onRestore, onTranscode, onExport, defaultOpen = false } = props;
  const t = useTranslations('assets.assetTable');
  const tReplaceFile = useTranslations('assets.replaceFile');
  const isReady = asset.status.phase === 'ready';
  const { playbackUrl, videoSpec } = asset;
  // The files of a restricted asset need a token, which the menu does not have.
  const downloadUrl = isRestricted(asset.playbackPolicy ?? { type: 'public' })
    ? undefined
    : asset.downloadUrl;
  const tracks = videoSpec?.tracks ?? [];
  return (
    <RowMenu name={asset.name} defaultOpen={defaultOpen}>
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
      {downloadUrl !== undefined && (
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
      <IfPermitted>
        <MenuSeparator />
        {isReplaceable(asset) && (
          <MenuItem icon={Replace} onSelect={() => onReplace(asset)}>
            {tReplaceFile('replaceFile')}
          </MenuItem>
        )}
        {onTranscode && isReady && hasVideo(asset) && (
          <MenuItem icon={Scaling} onSelect={() => onTranscode(asset)}>
            {t('transcode')}
          </MenuItem>
        )}
        {onExport && isReady && (
          <MenuItem icon={Send} onSelect={() => onExport(asset)}>
            {t('export')}
          </MenuItem>
        )}
        {isDeleted(asset) ? (
          <MenuItem icon={ArchiveRestore} onSelect={() => onRestore(asset)}>
            {t('restoreAsset')}
          </MenuItem>
        ) : (
          <MenuItem icon={Trash2} danger onSelect={() => onDelete(asset)}>
            {t('deleteAsset')}
          </MenuItem>
        )}
      </IfPermitted>
    </RowMenu>
  );
}
