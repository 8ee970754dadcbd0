'use client';

import { Film } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { assetStatus, formatVideoDuration, posterUrlOf, previewUrlOf } from '@/components/assets/asset-text';
import { ProgressBar } from '@/components/ui/progress-bar';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { StatusPill } from '@/components/ui/status-pill';
import { WideThumbnail } from '@/components/ui/thumbnail';
import type { Asset } from '@/lib/contract/assets/asset';
import { HomePanel, PanelLink } from './home-panel';
import { PictureLabel } from './picture-label';

interface RecentAssetsPanelProps {
  /** Undefined while loading. */
  assets: readonly Asset[] | undefined;
  className?: string;
}

const SHOWN_ASSETS = 4;
const gridClasses = 'grid grid-cols-2 gap-x-3 gap-y-4 min-[1281px]:grid-cols-4';

/** The newest recordings and uploads. */
export function RecentAssetsPanel({ assets, className }: RecentAssetsPanelProps) {
  const t = useTranslations('home.overviewPanels');
  return (
    <HomePanel
      isBorderless
      busy={!assets}
      title={t('recordingsAndUploads')}
      className={className}
      action={<PanelLink href="/assets">{t('allAssets')}</PanelLink>}
    >
      {!assets && (
        <div className={gridClasses}>
          {Array.from({ length: SHOWN_ASSETS }, (_, index) => (
            <div key={index}>
              <Skeleton className="block aspect-video w-full rounded-md" />
              <Skeleton className="mt-1.5 h-9 w-3/4" />
            </div>
          ))}
        </div>
      )}
      {assets?.length === 0 && (
        <p className="text-ink-2">
          {t.rich('noVideosYet', {
            link: (text) => (
              <Link href="/assets" className="text-accent-ink font-medium underline underline-offset-2">
                {text}
              </Link>
            ),
          })}
        </p>
      )}
      {assets && assets.length > 0 && (
        <ul className={gridClasses}>
          {assets.map((asset) => (
            <RecentAsset key={asset.id} asset={asset} />
          ))}
        </ul>
      )}
    </HomePanel>
  );
}

function RecentAsset({ asset }: { asset: Asset }) {
  const t = useTranslations('home.overviewPanels');
  const tAsset = useTranslations('assets.assetText');
  const { id, name, status, videoSpec, createdAt, views } = asset;
  const { label, tone } = assetStatus(tAsset, asset);
  const isInProgress = status.phase === 'processing' || status.phase === 'uploading';
  return (
    <li className="relative min-w-0">
      <div className="relative overflow-hidden rounded-md border">
        <WideThumbnail
          src={posterUrlOf(asset) ?? undefined}
          animatedSrc={previewUrlOf(asset) ?? undefined}
          icon={Film}
        />
        {videoSpec && (
          <PictureLabel name={t('duration')}>{formatVideoDuration(videoSpec.duration)}</PictureLabel>
        )}
        {tone === 'warn' && (
          <span className="absolute top-1.5 left-1.5">
            <StatusPill tone="warn">{label}</StatusPill>
          </span>
        )}
        {isInProgress && (
          <ProgressBar
            label={label}
            value={status.progress ?? null}
            className="absolute inset-x-0 bottom-0 rounded-none"
          />
        )}
      </div>
      <Link
        href={`/assets/${id}`}
        title={name}
        className="mt-1 block truncate rounded-sm text-sm font-medium underline-offset-4 after:absolute after:inset-0 hover:underline"
      >
        {name}
      </Link>
      <p className="text-ink-2 truncate text-xs">
        {status.phase !== 'ready' && tone !== 'warn' ? label : <RelativeTime at={createdAt} />}
        {views !== undefined && views > 0 && ` · ${t('views', { count: views })}`}
      </p>
    </li>
  );
}
