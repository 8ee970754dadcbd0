'use client';

import { useLocale, useTranslations } from 'use-intl';
import { formatBitrate } from '@/components/ui/figures';
import { formatClock } from '@/components/ui/time-text';
import { Skeleton } from '@/components/ui/skeleton';
import { useStreamHealth } from '@/lib/client/queries/stream-watch-queries';
import { onAirSeconds } from '@/lib/core/streams/air-state';
import { useRecentSessions } from '@/components/streams/activity/activity-queries';

const REFRESH_INTERVAL_MS = 5000;

/** Time on air of a live stream, such as "0:48:12". Space for it is reserved until it loads. */
export function TimeOnAir({ id }: { id: string }) {
  const t = useTranslations('streams.streamPulse');
  const liveSession = useRecentSessions(id).data?.items.find(({ state }) => state === 'live');
  return (
    <span className="live-figure text-ink-2 flex min-h-6 items-center gap-1.5">
      <span className="text-ink min-w-[7ch] font-mono">
        {liveSession && formatClock(onAirSeconds(liveSession))}
      </span>
      {t('onAir')}
    </span>
  );
}

/** Current bitrate of a live stream. Space for it is reserved until it loads. */
export function CurrentBitrate({ id }: { id: string }) {
  const t = useTranslations('streams.streamPulse');
  const language = useLocale();
  const { data, isPending } = useStreamHealth(id, REFRESH_INTERVAL_MS);
  const bitrate = data?.latest?.bitrate;
  return (
    <span className="live-figure text-ink-2 flex min-h-6 items-center tabular-nums">
      <span className="sr-only">{t('bitrate')}</span>
      {isPending && <Skeleton className="h-4 w-16" />}
      {bitrate !== undefined && formatBitrate(bitrate, language)}
    </span>
  );
}
