'use client';

import { Suspense, lazy, useMemo, useState } from 'react';
import { cn } from '@/components/ui/class-names';
import { Chips } from '@/components/ui/form/chips';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { Cell, Column, Row, Table } from '@/components/ui/table/table';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { useStreamViewers } from '@/lib/client/queries/stream-watch-queries';
import type { StreamViewersObject } from '@/lib/contract/streams/viewers';
import { type ViewerPoint, type ViewerSpan, peakOf, viewerPoints, viewerSpans } from './viewer-history';

const ViewersChart = lazy(() => import('./viewers-chart'));

interface ViewersPanelProps {
  /** undefined = not loaded yet. */
  audience: StreamViewersObject | undefined;
  span: ViewerSpan;
  onSpan: (span: ViewerSpan) => void;
  /** When `audience` was read, Unix milliseconds. */
  now: number;
  /** URL of the watch page. */
  watchUrl: string;
  live: boolean;
  className: string;
}

/** Current and past viewers as a chart and a table. */
function ViewersPanel(props: ViewersPanelProps) {
  const { audience, span, onSpan, now, className } = props;
  const points = useMemo(
    () => (audience ? viewerPoints(audience.minutes, span, now) : []),
    [audience, span, now],
  );
  const never = audience?.views === 0 && audience.minutes.length === 0;
  if (!props.live && (!audience || never)) return null;
  if (never) return <NoViewers watchUrl={props.watchUrl} className={className} />;
  return (
    <Panel
      title="Viewers"
      className={className}
      action={
        <Chips
          label="Time"
          value={span.value}
          options={viewerSpans}
          onChange={(value) => onSpan(viewerSpans.find((each) => each.value === value) ?? viewerSpans[0])}
        />
      }
    >
      {audience ? (
        <History audience={audience} points={points} span={span} />
      ) : (
        <Skeleton className="h-56 w-full" />
      )}
    </Panel>
  );
}

function NoViewers({ watchUrl, className }: { watchUrl: string; className: string }) {
  return (
    <p className={cn('text-ink-2 rounded-lg border px-4 py-3 sm:px-6', className)}>
      No viewers yet. Share{' '}
      <a
        href={watchUrl}
        target="_blank"
        rel="noreferrer"
        className="text-accent-ink rounded-sm wrap-anywhere underline underline-offset-2"
      >
        {watchUrl}
      </a>
    </p>
  );
}

interface HistoryProps {
  audience: StreamViewersObject;
  points: readonly ViewerPoint[];
  span: ViewerSpan;
}

function History({ audience, points, span }: HistoryProps) {
  const { viewers, minutes } = audience;
  const facts = [
    ['Watching now', viewers],
    // The current minute has few samples: show at least the current viewers.
    ['Peak', Math.max(viewers, Math.round(peakOf(minutes)))],
    ['Views', minutes.reduce((sum, { views }) => sum + views, 0)],
  ] as const;
  const days = span.bucket >= 60;
  return (
    <>
      <dl className="live-figure mb-5 grid grid-cols-3 gap-x-4 gap-y-3">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-ink-3 text-sm">{name}</dt>
            <dd className="font-medium tabular-nums">{value.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      {minutes.length === 0 ? (
        <p className="text-ink-2 grid h-40 place-items-center rounded-md border border-dashed px-4 text-center">
          No viewers in this period.
        </p>
      ) : (
        <>
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <ViewersChart points={points} days={days} />
          </Suspense>
          <details className="mt-3">
            <summary className="text-ink-2 hover:text-ink cursor-pointer rounded-sm text-sm">
              Show as a table
            </summary>
            <div className="mt-3">
              <Points points={points} days={days} />
            </div>
          </details>
        </>
      )}
    </>
  );
}

/** Points with viewers, newest first. */
function Points({ points, days }: { points: readonly ViewerPoint[]; days: boolean }) {
  const { time, dayAndTime, full } = useTimeFormat();
  return (
    <Table
      label="Viewers over time"
      head={
        <>
          <Column>From</Column>
          <Column>Average viewers</Column>
          <Column>Views</Column>
        </>
      }
    >
      {points
        .filter(({ viewers, views }) => viewers > 0 || views > 0)
        .reverse()
        .map(({ at, viewers, views }) => (
          <Row key={at}>
            <Cell className="sm:h-10">
              <span title={full(at)}>{days ? dayAndTime(at) : time(at)}</span>
            </Cell>
            <Cell label="Average viewers" className="sm:h-10">
              {viewers.toLocaleString('en')}
            </Cell>
            <Cell label="Views" className="sm:h-10">
              {views.toLocaleString('en')}
            </Cell>
          </Row>
        ))}
    </Table>
  );
}

const REFRESH_MS = 5000;
/** Points that cover many minutes change slowly. */
const SLOW_REFRESH_MS = 60_000;

interface ViewerHistoryProps {
  id: string;
  watchUrl: string;
  live: boolean;
  className: string;
}

/** Renders nothing for an idle stream without views. */
export function ViewerHistory({ id, ...shown }: ViewerHistoryProps) {
  const [span, setSpan] = useState<ViewerSpan>(viewerSpans[0]);
  const { data, dataUpdatedAt } = useStreamViewers(
    id,
    span.value,
    span.bucket === 1 ? REFRESH_MS : SLOW_REFRESH_MS,
  );
  return <ViewersPanel audience={data} span={span} onSpan={setSpan} now={dataUpdatedAt} {...shown} />;
}
