'use client';

import { Suspense, lazy, useState } from 'react';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { Cell, Column, Row, Table } from '@/components/ui/table/table';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { useStreamHealth } from '@/lib/client/queries/stream-watch-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import type { StreamHealthObject } from '@/lib/contract/streams/stream-health';
import { FindingsList } from './findings';
import { findingsOf } from './findings-words';
import { bitrateInWords, chartColumns, healthFacts, healthMinutes } from './health-words';

/** Number of facts of a stream with video and audio. */
const FACTS = 7;

const HealthChart = lazy(() => import('./health-chart'));

interface HealthPanelProps {
  /** undefined = not loaded yet. */
  health: StreamHealthObject | undefined;
  live: boolean;
  findings: readonly string[];
  /** The stream was live within the last ten minutes. */
  recent: boolean;
  className: string;
}

/** Measurements of the incoming video: latest values, chart and table. Space is reserved until they load. */
function HealthPanel({ health, live, findings, recent, className }: HealthPanelProps) {
  const samples = health?.samples ?? [];
  const charted = samples.length > 1;
  if (!live && !charted && (health || !recent)) return null;
  return (
    <Panel
      id="health"
      title="Health"
      className={className}
      description={health ? summary(health, live, findings) : <Skeleton className="h-4 w-56" />}
    >
      {live && <FindingsList findings={findings} />}
      {!health?.latest && live && <FactsRoom />}
      {live && health?.latest && (
        <dl className="live-figure mb-5 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4 xl:grid-cols-3">
          {healthFacts(health.latest).map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-ink-3 text-sm">{name}</dt>
              <dd className="font-medium tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {!charted && <ChartRoom />}
      {health && charted && (
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

function FactsRoom() {
  return (
    <div aria-hidden="true" className="mb-5 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4 xl:grid-cols-3">
      {Array.from({ length: FACTS }, (_, index) => (
        <Skeleton key={index} className="h-[2.625rem] w-full" />
      ))}
    </div>
  );
}

function ChartRoom() {
  return (
    <div aria-hidden="true">
      <Legend />
      <Skeleton className="h-40 w-full" />
      <div className="mt-3 h-5" />
    </div>
  );
}

function summary({ latest }: StreamHealthObject, live: boolean, { length }: readonly string[]): string {
  if (!live) return 'Last ten minutes. The stream is idle.';
  if (length > 0) return length === 1 ? '1 issue needs attention.' : `${length} issues need attention.`;
  return latest ? 'Healthy. Measured every 5 seconds.' : 'The first measurement takes a few seconds.';
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
        Frames per second
      </span>
    </p>
  );
}

function Minutes({ health }: { health: StreamHealthObject }) {
  const { time, full } = useTimeFormat();
  return (
    <Table
      label="Health over the last ten minutes"
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
            <span title={full(at)}>{time(at)}</span>
          </Cell>
          <Cell label="Bitrate">{bitrateInWords(bitrate)}</Cell>
          <Cell label="Frame rate">{fps === null ? 'No video' : `${fps.toFixed(1)} fps`}</Cell>
          <Cell label="Longest keyframe interval">
            {keyframeInterval === null ? '–' : `${keyframeInterval.toFixed(1)} s`}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

const REFRESH_MS = 5000;
const SHOWN_MS = 600_000;

/** Renders nothing for a stream without video in the last ten minutes. */
export function StreamHealth({ stream, className }: { stream: Stream; className: string }) {
  const { data } = useStreamHealth(stream.id, REFRESH_MS);
  const [openedAt] = useState(Date.now);
  return (
    <HealthPanel
      health={data}
      live={stream.isActive}
      findings={findingsOf(stream)}
      recent={openedAt - stream.lastSeen < SHOWN_MS}
      className={className}
    />
  );
}
