'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { formatMilliseconds, formatShare } from '@/components/audience/audience-text';
import { formatSize } from '@/components/ui/figures';
import { Skeleton } from '@/components/ui/skeleton';
import { startOfDay } from '@/components/ui/time/start-of-day';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { useAudienceSince } from '@/lib/client/queries/audience-queries';
import type { Overview } from '@/lib/contract/accounts/overview';
import type { Audience } from '@/lib/contract/audience/audience';
import { DAY_MS } from '@/lib/core/units';
import { HomePanel, PanelLink } from './home-panel';
import { formatWatchTime } from './home-text';

const REFRESH_INTERVAL_MS = 60_000;

interface TodayPanelProps {
  today: Overview['today'];
  /** Current viewers of all live streams. */
  watching: number;
  /** Time at which the overview was read, in Unix milliseconds. */
  now: number;
  className?: string;
}

/** Audience since midnight in the time zone of the page. Its height is the same in all states. */
export function TodayPanel({ today, watching, now, className }: TodayPanelProps) {
  const t = useTranslations('home.today');
  const { zone, time } = useTimeFormat();
  const midnight = startOfDay(now, zone);
  const audience = useAudienceSince(midnight, REFRESH_INTERVAL_MS);
  const { data } = audience;
  return (
    <HomePanel
      title={t('title')}
      note={t('since', { time: time(midnight) })}
      busy={!data && !audience.isError}
      className={className}
      action={<PanelLink href="/audience">{t('audience')}</PanelLink>}
    >
      <div className="px-4 pb-3">
        <Figures audience={data} today={today} watching={watching} isUtcDay={midnight % DAY_MS === 0} />
        <div className="mt-2 h-24">
          {data && <ViewersSinceMidnight audience={data} />}
          {!data && audience.isError && <p className="text-ink-2 text-sm">{t('notLoaded')}</p>}
          {!data && !audience.isError && <Skeleton className="block h-20 w-full" />}
        </div>
      </div>
    </HomePanel>
  );
}

interface FiguresProps {
  /** Undefined until loaded. */
  audience: Audience | undefined;
  today: Overview['today'];
  watching: number;
  /** Whether the day of the page starts at midnight UTC, like the day of the delivered data. */
  isUtcDay: boolean;
}

/** Six figures. A figure without measurements is a dash. */
function Figures({ audience, today, watching, isUtcDay }: FiguresProps) {
  const t = useTranslations('home.today');
  const language = useLocale();
  /** Formatted figure; undefined while loading, a dash if nothing was measured. */
  const formatIfMeasured = (format: (measured: Audience) => string) => {
    if (!audience) return undefined;
    const { measured, views, playedMinutes } = audience;
    return measured || views > 0 || playedMinutes > 0 ? format(audience) : '–';
  };
  const figures = [
    [t('views'), formatIfMeasured(({ views }) => views.toLocaleString(language))],
    [t('watched'), formatIfMeasured(({ playedMinutes }) => formatWatchTime(playedMinutes, language))],
    // The audience of the current minute is not stored yet.
    [t('peakViewers'), formatIfMeasured(({ peak }) => Math.max(peak, watching).toLocaleString(language))],
    [
      t('stalled'),
      formatIfMeasured(({ stalledShare, playedMinutes }) =>
        playedMinutes > 0 ? formatShare(stalledShare, language) : '–',
      ),
    ],
    [
      t('startup'),
      formatIfMeasured(({ startupMs: { most } }) =>
        most === null ? '–' : formatMilliseconds(most, language),
      ),
    ],
    [t(isUtcDay ? 'delivered' : 'deliveredUtc'), formatSize(today.deliveredBytes, language)],
  ] as const;
  return (
    <dl className="grid grid-cols-3 gap-x-3 gap-y-2">
      {figures.map(([name, value]) => (
        <Figure key={name} name={name}>
          {value ?? <Skeleton className="h-4 w-12" />}
        </Figure>
      ))}
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end">
      <dt className="text-ink-2 text-xs wrap-anywhere hyphens-auto">{name}</dt>
      <dd className="live-figure text-lg font-semibold tracking-tight whitespace-nowrap tabular-nums">
        {children}
      </dd>
    </div>
  );
}

/** Size of the chart in units of its `viewBox`. */
const CHART_HEIGHT = 76;
const CHART_WIDTH = 320;

/** Small chart of the viewers since midnight, or a sentence if nothing was measured. */
function ViewersSinceMidnight({ audience }: { audience: Audience }) {
  const t = useTranslations('home.today');
  const { time } = useTimeFormat();
  const { measured, points, from, to, peak, peakAt } = audience;
  if (!measured)
    return (
      <p className="text-ink-2 text-sm">
        {t.rich('off', {
          link: (format) => (
            <Link href="/audience" className="text-accent-ink underline underline-offset-2">
              {format}
            </Link>
          ),
        })}
      </p>
    );
  const maxViewers = Math.max(1, ...points.map(({ viewers }) => viewers));
  const spanMs = Math.max(1, (points.at(-1)?.at ?? to) - from);
  const linePoints = points
    .map(({ at, viewers }) => {
      const x = ((at - from) / spanMs) * CHART_WIDTH;
      // 1 below and 3 above the line, so that its stroke is not cut off.
      const y = CHART_HEIGHT - 1 - (viewers / maxViewers) * (CHART_HEIGHT - 4);
      return `${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('L');
  return (
    <figure>
      <svg
        role="img"
        aria-label={peakAt === null ? t('noViewers') : t('chart', { peak, time: time(peakAt) })}
        viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-[76px] w-full overflow-visible"
      >
        <path
          d={`M0 ${CHART_HEIGHT}H${CHART_WIDTH}`}
          stroke="var(--line)"
          vectorEffect="non-scaling-stroke"
        />
        {points.length > 0 && (
          <>
            <path
              d={`M0 ${CHART_HEIGHT}L${linePoints}L${CHART_WIDTH} ${CHART_HEIGHT}Z`}
              fill="var(--accent-soft)"
            />
            <path
              d={`M${linePoints}`}
              fill="none"
              stroke="var(--accent)"
              strokeWidth={1.5}
              vectorEffect="non-scaling-stroke"
            />
          </>
        )}
      </svg>
      <figcaption aria-hidden="true" className="text-ink-3 flex justify-between text-xs tabular-nums">
        <span>{time(from)}</span>
        <span>{time(to)}</span>
      </figcaption>
    </figure>
  );
}
