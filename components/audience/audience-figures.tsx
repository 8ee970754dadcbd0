import { useLocale, useTranslations } from 'use-intl';
import { formatDuration } from '@/components/ui/time-text';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import type { Audience } from '@/lib/contract/audience/audience';
import { coversDays, formatMilliseconds, formatShare } from './audience-text';

/** Key figures of the audience, each with a note about its meaning. */
export function AudienceFigures({ audience }: { audience: Audience }) {
  const t = useTranslations('audience.figures');
  const language = useLocale();
  const { time, dayAndTime } = useTimeFormat();
  // `half` is the median of the views, `most` the 95th percentile.
  const { startupMs, latencyMs, peak, peakAt, views, playedMinutes } = audience;
  const formatMs = (ms: number | null) => (ms === null ? '–' : formatMilliseconds(ms, language));
  /** @param ms 95th percentile */
  const formatPercentile95 = (ms: number | null) =>
    ms === null ? t('notMeasured') : t('most', { time: formatMs(ms) });
  const formatTime = coversDays(audience) ? dayAndTime : time;
  const isLive = latencyMs.half !== null;
  const figures = [
    [
      t('watching'),
      audience.viewers.toLocaleString(language),
      peakAt === null ? t('views', { views }) : t('atMost', { peak, time: formatTime(peakAt) }),
    ],
    [t('startup'), formatMs(startupMs.half), formatPercentile95(startupMs.most)],
    [
      t('stalled'),
      formatShare(audience.stalledShare, language),
      t('stalledViews', { count: audience.stalledViews }),
    ],
    [t('failed'), audience.failures.toLocaleString(language), t('left', { count: audience.left })],
    isLive
      ? [t('latency'), formatMs(latencyMs.half), formatPercentile95(latencyMs.most)]
      : [t('played'), formatDuration(playedMinutes * 60), t('views', { views })],
  ] as const;
  return (
    <dl className="bg-surface grid grid-cols-2 rounded-lg border max-sm:divide-y sm:grid-cols-3 lg:grid-cols-5">
      {figures.map(([name, value, note]) => (
        <div key={name} className="min-w-0 px-4 py-2.5 last:max-lg:col-span-full lg:not-first:border-l">
          <dt className="text-ink-2 text-xs">{name}</dt>
          <dd>
            <span className="block text-xl font-semibold tracking-tight tabular-nums">{value}</span>
            <span className="text-ink-3 block text-xs">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
