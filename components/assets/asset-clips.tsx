'use client';

import { Film, Scissors } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { WideThumbnail } from '@/components/ui/thumbnail';
import { useAssets } from '@/lib/client/queries/asset-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import { assetStatus, formatVideoDuration, posterUrlOf } from './asset-text';

const REFRESH_INTERVAL_MS = 5000;
const MAX_CLIPS = 8;

interface AssetClipsProps {
  asset: Pick<Asset, 'playbackId'>;
  /** Opens the clip editor; null if clips can't be made. */
  onNewClip: (() => void) | null;
}

/** The newest clips of an asset, and a tile that opens the clip editor. */
export function AssetClips({ asset, onNewClip }: AssetClipsProps) {
  const t = useTranslations('assets.assetClips');
  const clipPage = useAssets(
    {
      limit: String(MAX_CLIPS),
      // Descending: newest first.
      order: 'createdAt-true',
      filters: JSON.stringify([{ id: 'sourcePlaybackId', value: asset.playbackId }]),
    },
    { refetchInterval: REFRESH_INTERVAL_MS },
  ).data;
  const clips = clipPage?.items ?? [];
  if (clips.length === 0 && !onNewClip) return null;
  return (
    <section aria-label={t('title')} className="grid min-w-0 gap-2">
      <header className="flex items-baseline gap-2">
        <h2 className="text-lg font-semibold tracking-tight">{t('title')}</h2>
        {clipPage?.total !== null && clips.length > 0 && (
          <span className="text-ink-2 text-sm">{t('count', { count: clipPage?.total ?? clips.length })}</span>
        )}
      </header>
      {/* One row of a constant height, so that clips that load later move nothing. */}
      <ul className="flex min-h-32 gap-3 overflow-x-auto pb-1">
        {onNewClip && (
          <li className="w-36 shrink-0">
            <button
              type="button"
              onClick={onNewClip}
              className="text-accent-ink hover:bg-hover flex aspect-video w-full items-center justify-center gap-2 rounded-md border border-dashed border-current font-medium -outline-offset-2"
            >
              <Scissors aria-hidden="true" className="size-4" />
              {t('new')}
            </button>
            <p className="text-ink-2 mt-1 text-sm">{t('newText')}</p>
          </li>
        )}
        {clips.map((clip) => (
          <li key={clip.id} className="relative w-36 shrink-0">
            <Clip clip={clip} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Clip({ clip }: { clip: Asset }) {
  const t = useTranslations('assets.assetClips');
  const tAssetText = useTranslations('assets.assetText');
  const { videoSpec, status, views = 0 } = clip;
  return (
    <>
      <div className="relative overflow-hidden rounded-md">
        <WideThumbnail src={posterUrlOf(clip) ?? undefined} icon={Film} />
        {videoSpec && (
          <span className="absolute right-1 bottom-1 rounded-sm bg-black/75 px-1 font-mono text-xs text-white tabular-nums">
            {formatVideoDuration(videoSpec.duration)}
          </span>
        )}
      </div>
      <Link
        href={`/assets/${clip.id}`}
        className="mt-1 block truncate rounded-sm font-medium underline-offset-4 after:absolute after:inset-0 hover:underline"
      >
        {clip.name}
      </Link>
      <p className="text-ink-2 truncate text-sm">
        {status.phase === 'ready' ? t('views', { views }) : assetStatus(tAssetText, clip).label}
      </p>
    </>
  );
}
