'use client';

import { useTranslations } from 'use-intl';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { clock } from '@/components/player/video/timeline';
import type { PlaybackStatus } from '@/lib/contract/streams/playback';
import type { WatchableMedia } from './find-watchable';

interface WatchFactsProps {
  media: WatchableMedia;
  /** Of a stream, as it is now; null = not known. */
  status: PlaybackStatus | null;
}

/** Below the title: whether it is live and who watches, or when it was made and how long it is. */
export function WatchFacts({ media, status }: WatchFactsProps) {
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
        {startedAt !== null && <span>{t.rich('started', { time: () => <LocalTime at={startedAt} /> })}</span>}
      </>
    );
  }
  // The player itself says that it waits for the stream.
  if (endedAt === null) return null;
  return <span>{t.rich('lastLive', { time: () => <LocalTime at={endedAt} /> })}</span>;
}

function VideoFacts({ media: { publishedAt, duration } }: { media: WatchableMedia }) {
  return (
    <>
      <LocalTime at={publishedAt} dateOnly />
      {duration !== null && <span>{clock(duration)}</span>}
    </>
  );
}

function LocalTime({ at, dateOnly = false }: { at: number; dateOnly?: boolean }) {
  const format = useTimeFormat();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.full(at)}>
      {dateOnly ? format.date(at) : format.dateAndTime(at)}
    </time>
  );
}
