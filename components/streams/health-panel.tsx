import { lazy, Suspense } from 'react';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { Cell, Column, Row, Table } from '@/components/ui/table';
import type { StreamHealthObject } from '@/lib/contract/stream-health';
import { bitrateInWords, chartColumns, healthFacts, healthMinutes } from './health-words';

const HealthChart = lazy(() => import('./health-chart'));

/** What arrives of a stream: now, over the last ten minutes, and the same as a table. undefined = not loaded yet. */
export function HealthPanel({ health }: { health: StreamHealthObject | undefined }) {
  const samples = health?.samples ?? [];
  return (
    <Panel title="Health" description={health ? summary(health) : <Skeleton className="h-4 w-56" />}>
      {health?.latest && (
        <dl className="mb-5 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
          {healthFacts(health.latest).map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-ink-3 text-sm">{name}</dt>
              <dd className="font-medium tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {health && samples.length > 1 && (
        <>
          <Legend />
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <HealthChart columns={chartColumns(samples, health.interval)} from={health.from} to={health.to} />
          </Suspense>
          <details className="mt-3">
            <summary className="text-ink-2 hover:text-ink cursor-pointer rounded-sm text-sm">
              Show as a table
            </summary>
            <div className="mt-3">
              <Minutes health={health} />
            </div>
          </details>
        </>
      )}
    </Panel>
  );
}

function summary({ isActive, issues, latest, samples }: StreamHealthObject): string {
  if (!isActive)
    return samples.length > 0
      ? 'Of the last ten minutes. The stream is idle now.'
      : 'Measured as soon as video arrives.';
  if (!latest) return 'The first measurement takes a few seconds.';
  if (!issues) return 'All is well. Measured every 5 seconds.';
  return issues.length === 1
    ? 'One thing needs attention: see the top of the page.'
    : `${issues.length} things need attention: see the top of the page.`;
}

function Legend() {
  return (
    <p aria-hidden="true" className="text-ink-3 mb-1 flex justify-between text-xs">
      <span className="flex items-center gap-1.5">
        <span className="bg-accent h-0.5 w-4" />
        Mbit/s
      </span>
      <span className="flex items-center gap-1.5">
        <span className="border-ink-2 w-4 border-t-2 border-dashed" />
        Frames a second
      </span>
    </p>
  );
}

function Minutes({ health }: { health: StreamHealthObject }) {
  return (
    <Table
      label="Health of the last ten minutes"
      head={
        <>
          <Column>Minute</Column>
          <Column>Bitrate</Column>
          <Column>Frame rate</Column>
          <Column>Longest keyframe interval</Column>
        </>
      }
    >
      {healthMinutes(health.samples).map(({ at, bitrate, fps, keyframeInterval }) => (
        <Row key={at}>
          <Cell>
            {new Date(at).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false })}
          </Cell>
          <Cell label="Bitrate">{bitrateInWords(bitrate)}</Cell>
          <Cell label="Frame rate">{fps === null ? 'No picture' : `${fps.toFixed(1)} fps`}</Cell>
          <Cell label="Longest keyframe interval">
            {keyframeInterval === null ? '–' : `${keyframeInterval.toFixed(1)} s`}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
