'use client';

import { Suspense, lazy, useMemo, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { cn } from '@/components/ui/class-names';
import { FilterChips } from '@/components/ui/form/chips';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { Cell, Column, Row, Table } from '@/components/ui/table/table';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { useStreamViewers } from '@/lib/client/queries/stream-watch-queries';
import type { StreamViewersObject } from '@/lib/contract/streams/viewers';
import {
  type ViewerPoint,
  type ViewerChartPeriod,
  peakOf,
  viewerPoints,
  viewerChartPeriods,
} from './viewer-history';

const ViewersChart = lazy(() => import('./viewers-chart'));

interface ViewersPanelProps {
  /** Undefined while loading. */
  audience: StreamViewersObject | undefined;
  period: ViewerChartPeriod;
  onPeriodChange: (period: ViewerChartPeriod) => void;
  /** Time at which `audience` was read, in Unix milliseconds. */
  now: number;
  watchUrl: string;
  live: boolean;
  className: string;
}

/** Current and past viewers as a chart and a table. */
function ViewersPanel(props: ViewersPanelProps) {
  const t = useTranslations('streams.viewersPanel');
  const { audience, period, onPeriodChange, now, className } = props;
  const points = useMemo(
    () => (audience ? viewerPoints(audience.minutes, period, now) : []),
    [audience, period, now],
  );
  const hasNoViews = audience?.views === 0 && audience.minutes.length === 0;
  if (!props.live && (!audience || hasNoViews)) return null;
  if (hasNoViews) return <NoViewers watchUrl={props.watchUrl} className={className} />;
  return (
    <Panel
      title={t('viewers')}
      className={className}
      action={
        <FilterChips
          label={t('time')}
          value={period.minutes}
          options={viewerChartPeriods.map(({ name, minutes }) => ({
            value: minutes,
            label: t(`span.${name}`),
          }))}
          onChange={(value) =>
            onPeriodChange(
              viewerChartPeriods.find((candidate) => candidate.minutes === value) ?? viewerChartPeriods[0],
            )
          }
        />
      }
    >
      {audience ? (
        <ViewersContent audience={audience} points={points} period={period} live={props.live} />
      ) : (
        <Skeleton className="h-56 w-full" />
      )}
    </Panel>
  );
}

function NoViewers({ watchUrl, className }: { watchUrl: string; className: string }) {
  const t = useTranslations('streams.viewersPanel');
  return (
    <p className={cn('text-ink-2 rounded-lg border px-4 py-3 sm:px-6', className)}>
      {t.rich('noViewersYet', {
        url: watchUrl,
        link: (url) => (
          <a
            href={watchUrl}
            target="_blank"
            rel="noreferrer"
            className="text-accent-ink rounded-sm wrap-anywhere underline underline-offset-2"
          >
            {url}
          </a>
        ),
      })}
    </p>
  );
}

interface ViewersContentProps {
  audience: StreamViewersObject;
  points: readonly ViewerPoint[];
  period: ViewerChartPeriod;
  live: boolean;
}

function ViewersContent({ audience, points, period, live }: ViewersContentProps) {
  const t = useTranslations('streams.viewersPanel');
  const language = useLocale();
  const { minutes } = audience;
  // Players that still poll after the end do not count as viewers.
  const viewers = live ? audience.viewers : 0;
  const facts = [
    [t('watchingNow'), viewers],
    // The current minute has few samples: show at least the current viewers.
    [t('peak'), Math.max(viewers, Math.round(peakOf(minutes)))],
    [t('views'), minutes.reduce((sum, { views }) => sum + views, 0)],
  ] as const;
  const showDates = period.minutesPerPoint >= 60;
  return (
    <>
      <dl className="live-figure mb-5 grid grid-cols-3 gap-x-4 gap-y-3">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-ink-3 text-sm">{name}</dt>
            <dd className="font-medium tabular-nums">{value.toLocaleString(language)}</dd>
          </div>
        ))}
      </dl>
      {minutes.length === 0 ? (
        <p className="text-ink-2 grid h-40 place-items-center rounded-md border border-dashed px-4 text-center">
          {t('noViewersInPeriod')}
        </p>
      ) : (
        <>
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <ViewersChart points={points} showDates={showDates} />
          </Suspense>
          <details className="mt-3">
            <summary className="text-ink-2 hover:text-ink cursor-pointer rounded-sm text-sm">
              {t('showAsATable')}
            </summary>
            <div className="mt-3">
              <PointsTable points={points} showDates={showDates} />
            </div>
          </details>
        </>
      )}
    </>
  );
}

/** Points with viewers, newest first. */
function PointsTable({ points, showDates }: { points: readonly ViewerPoint[]; showDates: boolean }) {
  const t = useTranslations('streams.viewersPanel');
  const language = useLocale();
  const { time, dayAndTime, full } = useTimeFormat();
  return (
    <Table
      label={t('viewersOverTime')}
      head={
        <>
          <Column>{t('from')}</Column>
          <Column>{t('averageViewers')}</Column>
          <Column>{t('views')}</Column>
        </>
      }
    >
      {points
        .filter(({ viewers, views }) => viewers > 0 || views > 0)
        .reverse()
        .map(({ at, viewers, views }) => (
          <Row key={at}>
            <Cell className="sm:h-10">
              <span title={full(at)}>{showDates ? dayAndTime(at) : time(at)}</span>
            </Cell>
            <Cell label={t('averageViewers')} className="sm:h-10">
              {viewers.toLocaleString(language)}
            </Cell>
            <Cell label={t('views')} className="sm:h-10">
              {views.toLocaleString(language)}
            </Cell>
          </Row>
        ))}
    </Table>
  );
}

const REFRESH_INTERVAL_MS = 5000;
/** Points that cover many minutes change slowly. */
const SLOW_REFRESH_INTERVAL_MS = 60_000;

interface ViewerHistoryPanelProps {
  id: string;
  watchUrl: string;
  live: boolean;
  className: string;
}

/** Viewers of a stream over a period that the user selects. Renders nothing for an idle stream without views. */
export function ViewerHistoryPanel({ id, ...panelProps }: ViewerHistoryPanelProps) {
  const [period, setPeriod] = useState<ViewerChartPeriod>(viewerChartPeriods[0]);
  const { data, dataUpdatedAt } = useStreamViewers(
    id,
    period.minutes,
    period.minutesPerPoint === 1 ? REFRESH_INTERVAL_MS : SLOW_REFRESH_INTERVAL_MS,
  );
  return (
    <ViewersPanel
      audience={data}
      period={period}
      onPeriodChange={setPeriod}
      now={dataUpdatedAt}
      {...panelProps}
    />
  );
}
