'use client';

import { Activity, Timer } from 'lucide-react';
import { bitrateInWords } from '@/components/streams/health/health-words';
import { durationInWords } from '@/components/ui/time-words';
import { useStreamHealth } from '@/lib/client/queries/stream-watch-queries';
import { useRecentSessions } from '@/components/streams/activity/sessions-panel';

const REFRESH_MS = 5000;

/**
 * Of a stream on air: since when, and how much arrives. Its room is there before the numbers are, on a phone a line of its
 * own: the number of viewers, which comes later, would push it there.
 */
export function StreamPulse({ id }: { id: string }) {
  const sessions = useRecentSessions(id);
  const health = useStreamHealth(id, REFRESH_MS);
  const running = sessions.data?.items.find(({ isActive }) => isActive);
  const since = running && Math.max(0, sessions.dataUpdatedAt - running.createdAt) / 1000;
  const bitrate = health.data?.latest?.bitrate;
  return (
    <span className="live-figure flex basis-full gap-x-4 sm:basis-auto">
      <span className="text-ink-2 flex min-h-6 min-w-24 items-center gap-1.5 tabular-nums">
        <Timer aria-hidden="true" className="size-4" />
        <span className="sr-only">On air for</span>
        {since !== undefined && durationInWords(since)}
      </span>
      <span className="text-ink-2 flex min-h-6 min-w-24 items-center gap-1.5 tabular-nums">
        <Activity aria-hidden="true" className="size-4" />
        <span className="sr-only">Bitrate</span>
        {bitrate !== undefined && bitrateInWords(bitrate)}
      </span>
    </span>
  );
}
