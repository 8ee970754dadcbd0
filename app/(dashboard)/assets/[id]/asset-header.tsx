'use client';

import { Download, Scissors, Share2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { PolicyBadge } from '@/components/access/policy-badge';
import { useAssetBulkActions } from '@/components/assets/asset-bulk-actions';
import { AssetMenu } from '@/components/assets/asset-menu';
import { assetSourceLabel, assetStatus, formatVideoDuration } from '@/components/assets/asset-text';
import { clipKeys } from '@/components/palette/page-keys';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { useCopyValue } from '@/components/ui/copy/use-copy-value';
import { EditableHeading } from '@/components/ui/form/name-in-place';
import { ObjectHeader } from '@/components/ui/page-header';
import { StatusPill } from '@/components/ui/status-pill';
import { useRenameAsset } from '@/lib/client/queries/asset-queries';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import type { Asset } from '@/lib/contract/assets/asset';
import { isRestricted } from '@/lib/core/access/playback-policy';

const dialogs = {
  replace: dynamic(async () => (await import('@/components/assets/replace-file')).ReplaceFileDialog),
  transcode: dynamic(async () => (await import('@/components/assets/transcode-form')).TranscodeAssetDialog),
  export: dynamic(async () => (await import('@/components/assets/export-form')).ExportAssetDialog),
};

interface AssetHeaderProps {
  asset: Asset;
  urls: PublicUrls;
  downloadUrl: string | undefined;
  /** Null if clips can't be made. */
  onClip: (() => void) | null;
  onShare: () => void;
  /** Opens the tab with the tasks. */
  onTasks: () => void;
}

/** Header with the name, state and actions of the asset. */
export function AssetHeader(props: AssetHeaderProps) {
  const { asset } = props;
  const t = useTranslations('assets.assetContent');
  const router = useRouter();
  const rename = useRenameAsset(asset.id);
  const mayChange = useHasRole('developer');
  return (
    <ObjectHeader
      back={{ href: '/assets', label: t('assets') }}
      title={
        <EditableHeading
          subject={t('asset')}
          name={asset.name}
          isFixed={!mayChange}
          onRename={(name) =>
            rename.mutate(name, {
              // The document title contains the name.
              onSuccess: () => router.refresh(),
              onError: (error) => toast.error(t('notSaved'), { description: error.message }),
            })
          }
        />
      }
      description={<HeaderFacts asset={asset} />}
      action={<HeaderActions {...props} />}
    />
  );
}

/** State, duration, picture size, source and access of an asset in one line. */
function HeaderFacts({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.assetContent');
  const tAssetText = useTranslations('assets.assetText');
  const { videoSpec, playbackPolicy } = asset;
  const status = assetStatus(tAssetText, asset);
  const video = videoSpec?.tracks.find(({ type }) => type === 'video');
  const height = video?.type === 'video' ? Math.min(video.width, video.height) : null;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span aria-live="polite" className="flex">
        <StatusPill tone={status.tone}>{status.label}</StatusPill>
      </span>
      {videoSpec && (
        <span className="text-ink font-mono text-sm tabular-nums">
          {formatVideoDuration(videoSpec.duration)}
        </span>
      )}
      {height !== null && <span className="tabular-nums">{height}p</span>}
      <span className="max-sm:hidden">{assetSourceLabel(tAssetText, asset)}</span>
      <PolicyBadge policy={playbackPolicy} />
      {asset.status.phase !== 'failed' && !(playbackPolicy && isRestricted(playbackPolicy)) && (
        <span>{t('anyoneWithTheLink')}</span>
      )}
    </span>
  );
}

function HeaderActions({ asset, urls, downloadUrl, onClip, onShare, onTasks }: AssetHeaderProps) {
  const t = useTranslations('assets.assetContent');
  const router = useRouter();
  const copyValue = useCopyValue({ objectKind: 'asset', kindLabel: t('assetLabel') });
  const bulkActions = useAssetBulkActions();
  const [openDialog, setOpenDialog] = useState<keyof typeof dialogs | null>(null);
  const Dialog = openDialog && dialogs[openDialog];
  const isReady = asset.status.phase === 'ready';
  return (
    <>
      {isReady && onClip && (
        <Button className="max-sm:px-3" onClick={onClip} aria-keyshortcuts={clipKeys.open}>
          <Scissors aria-hidden="true" />
          {t('clip')}
        </Button>
      )}
      {isReady && downloadUrl !== undefined && (
        <Button asChild className="max-sm:px-3">
          <a href={downloadUrl} download>
            <Download aria-hidden="true" />
            <span className="max-sm:sr-only">{t('download')}</span>
          </a>
        </Button>
      )}
      {isReady && (
        <Button variant="primary" className="max-sm:px-3" onClick={onShare}>
          <Share2 aria-hidden="true" />
          {t('share')}
        </Button>
      )}
      <AssetMenu
        asset={asset}
        onCopy={(part) => void copyValue(part, asset, urls)}
        onReplace={() => setOpenDialog('replace')}
        onTranscode={() => setOpenDialog('transcode')}
        onExport={() => {
          // The tab shows the progress of the export.
          onTasks();
          setOpenDialog('export');
        }}
        onDelete={() =>
          bulkActions.askToDelete(
            [asset],
            ({ succeededIds }) => succeededIds.length > 0 && router.push('/assets'),
          )
        }
        onRestore={() => bulkActions.restore([asset], () => router.refresh())}
      />
      {Dialog && <Dialog asset={asset} onClose={() => setOpenDialog(null)} />}
      {bulkActions.dialogs}
    </>
  );
}
