'use client';

import { useTranslations } from 'use-intl';
import { formatDuration } from '@/components/ui/time-text';
import type { PlaybackStatus } from '@/lib/contract/streams/playback';
import { Suspense, lazy } from 'react';
import type { WatchableMedia } from './find-watchable';
import { LocalTime } from '@/components/player/pages/local-time';

const Countdown = lazy(() => import('@/components/player/pages/countdown'));

interface WatchFactsProps {
  media: WatchableMedia;
  playbackId: string;
  /** Current status of a stream; null if unknown. */
  status: PlaybackStatus | null;
  /** Announced start of the next session, in Unix milliseconds. */
  startsAt: number | undefined;
}

/** Facts below the title: a countdown to the announced start, live state and viewers, or date and duration. */
export function WatchFacts({ playbackId, media, status, startsAt }: WatchFactsProps) {
  if (startsAt !== undefined && status && !status.live)
    return (
      <Suspense fallback={<p className="min-h-6" />}>
        <Countdown playbackId={playbackId} startsAt={startsAt} />
      </Suspense>
    );
  return (
    <p className="text-ink-2 flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1 text-sm tabular-nums">
      {media.kind === 'live' ? <LiveFacts status={status} /> : <VideoFacts media={media} />}
    </p>
  );
}

function LiveFacts({ status }: { status: PlaybackStatus | null }) {
  const t = useTranslations('player.page');
  if (!status) return null;
  const { live, viewers, startedAt, endedAt } = status;
  if (live) {
    return (
      <>
        <span className="text-live-ink inline-flex items-center gap-2 font-medium">
          <span aria-hidden="true" className="bg-live size-1.5 rounded-full" />
          {t('live')}
        </span>
        {/* A viewer is counted some seconds after the page has opened. */}
        {viewers > 0 && <span>{t('watching', { viewers })}</span>}
        {startedAt !== null && (
          <span>{t.rich('started', { time: () => <LocalTime unixMs={startedAt} /> })}</span>
        )}
      </>
    );
  }
  // The player shows that it waits for the stream.
  if (endedAt === null) return null;
  return <span>{t.rich('lastLive', { time: () => <LocalTime unixMs={endedAt} /> })}</span>;
}

function VideoFacts({ media: { publishedAt, duration } }: { media: WatchableMedia }) {
  return (
    <>
      <LocalTime unixMs={publishedAt} dateOnly />
      {/* With units, because "1:30" beside a date could be read as a time of day. */}
      {duration !== null && <span>{formatDuration(duration)}</span>}
    </>
  );
}
