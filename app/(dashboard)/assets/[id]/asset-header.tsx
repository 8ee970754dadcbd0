'use client';

import { Download, Scissors, Share2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ComponentProps, Suspense, lazy, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { PolicyBadge } from '@/components/access/policy-badge';
import { assetSourceLabel, assetStatus, formatVideoDuration } from '@/components/assets/asset-text';
import { clipKeys } from '@/components/palette/page-keys';
import { useHasRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { EditableHeading } from '@/components/ui/form/editable-heading';
import { ObjectHeader } from '@/components/ui/page-header';
import { StatusPill } from '@/components/ui/status-pill';
import { ClosedRowMenu } from '@/components/ui/table/row-menu';
import { useRenameAsset } from '@/lib/client/queries/asset-queries';
import type { PublicUrls } from '@/lib/client/queries/public-urls';
import type { Asset } from '@/lib/contract/assets/asset';
import { isRestricted } from '@/lib/core/access/playback-policy';

const AssetPageMenu = lazy(async () => ({ default: (await import('./asset-page-menu')).AssetPageMenu }));

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

function HeaderActions({ onClip, onShare, downloadUrl, ...menu }: AssetHeaderProps) {
  const t = useTranslations('assets.assetContent');
  const isReady = menu.asset.status.phase === 'ready';
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
      <HeaderMenu {...menu} />
    </>
  );
}

/** The menu of rare actions, whose code and dialogs are loaded when it is opened. */
function HeaderMenu(props: ComponentProps<typeof AssetPageMenu>) {
  const [hasOpened, setHasOpened] = useState(false);
  const closedMenu = <ClosedRowMenu name={props.asset.name} onOpen={() => setHasOpened(true)} />;
  if (!hasOpened) return closedMenu;
  return (
    <Suspense fallback={closedMenu}>
      <AssetPageMenu {...props} />
    </Suspense>
  );
}
