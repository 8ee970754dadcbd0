'use client';

import { Film, Radio, TriangleAlert, Users } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { assetStatus, formatVideoDuration, posterOf } from '@/components/assets/asset-text';
import { StreamStatus, streamStatus } from '@/components/streams/stream-status';
import { cn } from '@/components/ui/class-names';
import { formatBitrate, formatSize } from '@/components/ui/figures';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill } from '@/components/ui/status-pill';
import { WideThumbnail, Thumbnail } from '@/components/ui/thumbnail';
import { formatDuration } from '@/components/ui/time-text';
import type { LiveStream, Overview } from '@/lib/contract/accounts/overview';
import type { Asset } from '@/lib/contract/assets/asset';

const titleLink =
  'text-accent-ink inline-flex items-center rounded-sm font-medium underline-offset-4 hover:underline whitespace-nowrap pointer-coarse:-my-2.5 pointer-coarse:min-h-11';

interface LiveStreamsPanelProps {
  live: Overview['live'];
  /** URL of the current thumbnail of a live stream; undefined until the URLs are known. */
  thumbnailUrlOf: (stream: LiveStream) => string | undefined;
}

/** Every live stream, with its thumbnail and its figures. */
export function LiveStreamsPanel({ live, thumbnailUrlOf }: LiveStreamsPanelProps) {
  const t = useTranslations('home.overviewPanels');
  const hiddenCount = live.count - live.streams.length;
  return (
    <Panel
      dense
      title={t('liveNow')}
      action={
        <Link href="/streams?status=live" className={titleLink}>
          {hiddenCount > 0 ? t('more', { more: hiddenCount }) : t('allLiveStreams')}
        </Link>
      }
    >
      {live.streams.length === 0 ? (
        <p className="text-ink-2 flex min-h-16 items-center gap-3">
          <Radio aria-hidden="true" className="text-ink-3 size-5 shrink-0" />
          {t('noStreamIsLive')}
        </p>
      ) : (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-4">
          {live.streams.map((stream) => (
            <LiveCard
              key={stream.id}
              stream={stream}
              thumbnailUrl={thumbnailUrlOf(stream)}
              isOnly={live.streams.length === 1}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface LiveCardProps {
  stream: LiveStream;
  thumbnailUrl: string | undefined;
  /** Whether no other stream is live: the card gets the whole row. */
  isOnly: boolean;
}

function LiveCard({ stream, thumbnailUrl, isOnly }: LiveCardProps) {
  const t = useTranslations('home.overviewPanels');
  const language = useLocale();
  const { id, name, viewers, bitrate, issues } = stream;
  const state = { isActive: true, suspended: false, issues };
  const unhealthy = stream.isHealthy === false && streamStatus(state).state === 'live';
  return (
    <li
      className={cn(
        'relative grid min-w-0 content-start gap-x-5 gap-y-2',
        isOnly && 'col-span-full sm:grid-cols-2 sm:content-center',
      )}
    >
      <div className="overflow-hidden rounded-md">
        <WideThumbnail src={thumbnailUrl} icon={Radio} />
      </div>
      <span className="absolute top-2 left-2">
        <StreamStatus stream={state} />
      </span>
      <div className={cn('min-w-0', isOnly && 'sm:self-center')}>
        <Link
          href={`/streams/${id}`}
          className={cn(
            'block truncate rounded-sm font-medium underline-offset-4 after:absolute after:inset-0 hover:underline',
            isOnly && 'sm:text-lg',
          )}
        >
          {name}
        </Link>
        <p className="live-figure text-ink-2 flex flex-wrap gap-x-3 text-sm tabular-nums">
          <span className="inline-flex items-center gap-1">
            <Users aria-hidden="true" className="size-3.5" />
            {t('viewers', { count: viewers })}
          </span>
          <span>{bitrate === null ? t('bitrateUnknown') : formatBitrate(bitrate, language)}</span>
          <span>{t('liveFor', { duration: formatDuration(stream.onAirSeconds) })}</span>
        </p>
        {unhealthy && (
          <p className="text-warn-ink flex items-center gap-1 text-sm">
            <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
            {t('needsAttention')}
          </p>
        )}
      </div>
    </li>
  );
}

/** Figures of the current day, which starts at midnight UTC, as on the usage page. */
export function TodayPanel({ today, storedBytes }: Pick<Overview, 'today' | 'storedBytes'>) {
  const language = useLocale();
  const t = useTranslations('home.overviewPanels');
  return (
    <Panel
      dense
      title={t('today')}
      description={t('sinceMidnightUtc')}
      action={
        <Link href="/usage" className={titleLink}>
          {t('usage')}
        </Link>
      }
    >
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] gap-x-4 gap-y-2">
        <Figure name={t('liveViews')}>{today.views.toLocaleString(language)}</Figure>
        <Figure name={t('liveVideoReceived')}>{formatDuration(today.ingestedMinutes * 60)}</Figure>
        <Figure name={t('videoDelivered')}>{formatDuration(today.deliveredMinutes * 60)}</Figure>
        <Figure name={t('dataDelivered')}>{formatSize(today.deliveredBytes, language)}</Figure>
        <Figure name={t('storedInTotal')}>{formatSize(storedBytes, language)}</Figure>
      </dl>
    </Panel>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end">
      <dt className="text-ink-2 text-xs wrap-anywhere hyphens-auto">{name}</dt>
      <dd className="live-figure font-semibold tabular-nums">{children}</dd>
    </div>
  );
}

/** The newest recordings and uploads. */
export function RecentAssetsPanel({ assets }: { assets: readonly Asset[] }) {
  const t = useTranslations('home.overviewPanels');
  return (
    <Panel
      dense
      title={t('recordingsAndUploads')}
      action={
        <Link href="/assets" className={titleLink}>
          {t('allAssets')}
        </Link>
      }
    >
      {assets.length === 0 ? (
        <p className="text-ink-2">
          {t.rich('noVideosYet', {
            link: (text) => (
              <Link href="/assets" className={titleLink}>
                {text}
              </Link>
            ),
          })}
        </p>
      ) : (
        <ul className="-my-2 divide-y">
          {assets.map((asset) => (
            <RecentAsset key={asset.id} asset={asset} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function RecentAsset({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.assetText');
  const status = assetStatus(t, asset);
  const duration = asset.videoSpec?.duration;
  return (
    <li className="flex min-h-14 items-center gap-3 py-2">
      <Thumbnail src={posterOf(asset) ?? undefined} icon={Film} />
      <span className="min-w-0 flex-1">
        <Link
          href={`/assets/${asset.id}`}
          className="block truncate rounded-sm font-medium underline-offset-4 hover:underline"
        >
          {asset.name}
        </Link>
        <span className="text-ink-3 text-sm">
          {duration !== undefined && `${formatVideoDuration(duration)} · `}
          <RelativeTime at={asset.createdAt} />
        </span>
      </span>
      {asset.status.phase !== 'ready' && <StatusPill tone={status.tone}>{status.label}</StatusPill>}
    </li>
  );
}
