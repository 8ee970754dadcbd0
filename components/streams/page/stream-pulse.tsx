'use client';

import { Activity, Timer } from 'lucide-react';
import { useLocale, useTranslations } from 'use-intl';
import { formatBitrate } from '@/components/ui/figures';
import { formatDuration } from '@/components/ui/time-text';
import { useStreamHealth } from '@/lib/client/queries/stream-watch-queries';
import { onAirSeconds } from '@/lib/core/streams/air-state';
import { useRecentSessions } from '@/components/streams/activity/activity-queries';

const REFRESH_INTERVAL_MS = 5000;

/**
 * Duration and bitrate of a live stream. Space is reserved until they load; on a phone they have a separate line, so
 * that the viewer count does not move them.
 */
export function DurationAndBitrate({ id }: { id: string }) {
  const t = useTranslations('streams.streamPulse');
  const language = useLocale();
  const sessions = useRecentSessions(id);
  const health = useStreamHealth(id, REFRESH_INTERVAL_MS);
  const liveSession = sessions.data?.items.find(({ state }) => state === 'live');
  const bitrate = health.data?.latest?.bitrate;
  return (
    <span className="live-figure flex basis-full gap-x-4 sm:basis-auto">
      <span className="text-ink-2 flex min-h-6 min-w-24 items-center gap-1.5 tabular-nums">
        <Timer aria-hidden="true" className="size-4" />
        <span className="sr-only">{t('liveFor')}</span>
        {liveSession && formatDuration(onAirSeconds(liveSession))}
      </span>
      <span className="text-ink-2 flex min-h-6 min-w-24 items-center gap-1.5 tabular-nums">
        <Activity aria-hidden="true" className="size-4" />
        <span className="sr-only">{t('bitrate')}</span>
        {bitrate !== undefined && formatBitrate(bitrate, language)}
      </span>
    </span>
  );
}
