'use client';

import { Users } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { viewerChartPeriods, formatCurrentViewers } from './viewer-history';
import { Skeleton } from '@/components/ui/skeleton';
import { useStreamViewers } from '@/lib/client/queries/stream-watch-queries';

const REFRESH_INTERVAL_MS = 5000;

/** Current viewers of a live stream. Space is reserved until they load. */
export function ViewerCount({ id }: { id: string }) {
  const t = useTranslations('streams.viewerHistory');
  const { data } = useStreamViewers(id, viewerChartPeriods[0].minutes, REFRESH_INTERVAL_MS);
  return (
    <span className="live-figure text-ink-2 flex min-h-6 items-center gap-1.5 tabular-nums">
      <Users aria-hidden="true" className="size-4" />
      {data ? formatCurrentViewers(t, data.viewers) : <Skeleton className="h-4 w-20" />}
    </span>
  );
}
