'use client';

import { CircleCheck, Film, Radio, TriangleAlert, Users, X } from 'lucide-react';
import Link from 'next/link';
import { toast } from 'sonner';
import { useLocale, useTranslations } from 'use-intl';
import { assetStatus, clockOf, posterOf } from '@/components/assets/asset-words';
import { StreamStatus, streamStatus } from '@/components/streams/stream-status';
import { ForRole } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { bitrateInWords, sizeInWords } from '@/components/ui/figures';
import { Fact, Facts, Panel } from '@/components/ui/panel';
import { asSentence } from '@/components/ui/form/server-sentences';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill } from '@/components/ui/status-pill';
import { Picture, Thumbnail } from '@/components/ui/thumbnail';
import { durationInWords } from '@/components/ui/time-words';
import { useDismissProblem } from '@/lib/client/queries/account-queries';
import type { AttentionItem, LiveStream, Overview } from '@/lib/contract/accounts/overview';
import type { Asset } from '@/lib/contract/assets/asset';
import { useSay } from '@/components/i18n/reasons';

const titleLink =
  'text-accent-ink rounded-sm font-medium underline-offset-4 hover:underline whitespace-nowrap';

interface LiveNowProps {
  live: Overview['live'];
  /** URL of the current picture of a live stream; undefined until the addresses are known. */
  pictureOf: (stream: LiveStream) => string | undefined;
}

/** Every live stream as a picture with its figures. */
export function LiveNow({ live, pictureOf }: LiveNowProps) {
  const t = useTranslations('home.overviewPanels');
  const more = live.count - live.streams.length;
  return (
    <Panel
      title={t('liveNow')}
      action={
        <Link href="/streams?status=live" className={titleLink}>
          {more > 0 ? t('more', { more }) : t('allLiveStreams')}
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
            <LiveCard key={stream.id} stream={stream} picture={pictureOf(stream)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function LiveCard({ stream, picture }: { stream: LiveStream; picture: string | undefined }) {
  const t = useTranslations('home.overviewPanels');
  const language = useLocale();
  const { id, name, viewers, bitrate, issues } = stream;
  const state = { isActive: true, suspended: false, issues };
  const unhealthy = stream.isHealthy === false && streamStatus(state).state === 'live';
  return (
    <li className="relative min-w-0">
      <div className="overflow-hidden rounded-md">
        <Picture src={picture} icon={Radio} />
      </div>
      <span className="absolute top-2 left-2">
        <StreamStatus stream={state} />
      </span>
      <Link
        href={`/streams/${id}`}
        className="mt-2 block truncate rounded-sm font-medium underline-offset-4 after:absolute after:inset-0 hover:underline"
      >
        {name}
      </Link>
      <p className="live-figure text-ink-2 flex flex-wrap gap-x-3 text-sm tabular-nums">
        <span className="inline-flex items-center gap-1">
          <Users aria-hidden="true" className="size-3.5" />
          {t('viewers', { count: viewers })}
        </span>
        <span>{bitrate === null ? t('bitrateUnknown') : bitrateInWords(bitrate, language)}</span>
        <span>{t('liveFor', { duration: durationInWords(stream.onAirSeconds) })}</span>
      </p>
      {unhealthy && (
        <p className="text-warn-ink flex items-center gap-1 text-sm">
          <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
          {t('needsAttention')}
        </p>
      )}
    </li>
  );
}

const paths: Readonly<Record<AttentionItem['kind'], string>> = {
  stream: '/streams',
  rejection: '/streams',
  target: '/streams',
  recording: '/sessions',
  task: '/assets',
  webhook: '/developers/webhooks',
  quota: '/usage',
};

/** Where the user can act on a problem. */
export function placeOf({ kind, id, assetId }: Pick<AttentionItem, 'kind' | 'id' | 'assetId'>): string {
  return kind === 'quota' ? paths.quota : `${paths[kind]}/${assetId ?? id}`;
}

/** The name of a quota that this page has a word for. */
const quotaNameOf = (name: string) => (name === 'storageBytes' ? name : 'viewerBytes');

export function Attention({ items }: { items: readonly AttentionItem[] }) {
  const t = useTranslations('home.overviewPanels');
  const say = useSay();
  const { mutate } = useDismissProblem();
  const dismiss = ({ kind, id, name, message, at }: AttentionItem) =>
    mutate(
      { kind, id, name, message, at },
      { onError: (error) => toast.error(t('notDismissed'), { description: error.message }) },
    );
  return (
    <Panel title={t('needsAttention')}>
      {items.length === 0 ? (
        <p className="text-ink-2 flex items-center gap-2">
          <CircleCheck aria-hidden="true" className="text-accent size-4 shrink-0" />
          {t('noProblemsInThe')}
        </p>
      ) : (
        <ul className="-my-2 divide-y">
          {items.map((item) => (
            <li key={`${item.kind} ${item.id} ${item.name}`} className="relative grid gap-0.5 py-2 pr-9">
              <p className="flex min-w-0 items-baseline justify-between gap-3">
                <Link
                  href={placeOf(item)}
                  className="min-w-0 truncate rounded-sm font-medium underline-offset-4 hover:underline"
                >
                  {item.kind === 'quota' ? t(`quotaNames.${quotaNameOf(item.name)}`) : item.name}
                </Link>
                <span className="text-ink-3 shrink-0 text-sm">
                  {t(`kind.${item.kind}`)}
                  {item.at !== null && (
                    <>
                      {' · '}
                      <RelativeTime at={item.at} />
                    </>
                  )}
                </span>
              </p>
              <p className="text-warn-ink line-clamp-3 text-sm wrap-anywhere">
                {asSentence(say(item.message, item.reason))}
              </p>
              <ForRole>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={t('dismiss', { name: item.name })}
                  title={t('dismissUntil')}
                  className="absolute top-1 -right-2"
                  onClick={() => dismiss(item)}
                >
                  <X aria-hidden="true" />
                </Button>
              </ForRole>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Numbers of the current day. A day of usage starts at midnight UTC, as on the usage page. */
export function Today({ today, storedBytes }: Pick<Overview, 'today' | 'storedBytes'>) {
  const language = useLocale();
  const t = useTranslations('home.overviewPanels');
  return (
    <Panel
      title={t('today')}
      description={t('sinceMidnightUtc')}
      action={
        <Link href="/usage" className={titleLink}>
          {t('usage')}
        </Link>
      }
    >
      <Facts>
        <Fact name={t('liveVideoReceived')}>{durationInWords(today.ingestedMinutes * 60)}</Fact>
        <Fact name={t('liveViews')}>{today.views.toLocaleString(language)}</Fact>
        <Fact name={t('videoDelivered')}>{durationInWords(today.deliveredMinutes * 60)}</Fact>
        <Fact name={t('dataDelivered')}>{sizeInWords(today.deliveredBytes, language)}</Fact>
        <Fact name={t('storedInTotal')}>{sizeInWords(storedBytes, language)}</Fact>
      </Facts>
    </Panel>
  );
}

/** The newest recordings and uploads. @param assets undefined = not loaded yet */
export function RecentAssets({ assets }: { assets: readonly Asset[] }) {
  const t = useTranslations('home.overviewPanels');
  return (
    <Panel
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
        <ul className="-my-3 divide-y">
          {assets.map((asset) => (
            <RecentAsset key={asset.id} asset={asset} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function RecentAsset({ asset }: { asset: Asset }) {
  const words = useTranslations('assets.assetWords');
  const status = assetStatus(words, asset);
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
          {duration !== undefined && `${clockOf(duration)} · `}
          <RelativeTime at={asset.createdAt} />
        </span>
      </span>
      <StatusPill tone={status.tone}>{status.label}</StatusPill>
    </li>
  );
}
