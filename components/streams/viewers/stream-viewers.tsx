'use client';

import { Users } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { viewerChartPeriods, formatViewers } from './viewer-history';
import { useStreamViewers } from '@/lib/client/queries/stream-watch-queries';

const REFRESH_INTERVAL_MS = 5000;

/** Viewers and views. Space is reserved until they load. */
export function ViewerCounts({ id, live }: { id: string; live: boolean }) {
  const t = useTranslations('streams.viewerHistory');
  const { data } = useStreamViewers(id, viewerChartPeriods[0].minutes, REFRESH_INTERVAL_MS);
  return (
    <span className="live-figure text-ink-2 flex min-h-6 items-center gap-1.5 tabular-nums">
      <Users aria-hidden="true" className="size-4" />
      {data && formatViewers(t, data, live)}
    </span>
  );
}
