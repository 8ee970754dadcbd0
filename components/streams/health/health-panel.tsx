'use client';

import { Suspense, lazy, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { Cell, Column, Row, Table } from '@/components/ui/table/table';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { useStreamHealth } from '@/lib/client/queries/stream-watch-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import type { StreamHealthObject, StreamHealthSample } from '@/lib/contract/streams/stream-health';
import { healthPanelId } from './health-panel-state';
import { IssueList } from './issues';
import { currentIssuesOf } from './issue-texts';
import { formatBitrate } from '@/components/ui/figures';
import { chartColumns, healthFacts, healthMinutes } from './health-text';
import { useTranslateMessage } from '@/components/i18n/reasons';

/** Number of facts of a stream with video and audio, for which space is reserved. */
const FACT_COUNT = 7;

const HealthChart = lazy(() => import('./health-chart'));

interface HealthPanelProps {
  /** Undefined while loading. */
  health: StreamHealthObject | undefined;
  live: boolean;
  issueTexts: readonly string[];
  /** Whether the stream was live in the last ten minutes before the page was opened. */
  wasRecentlyLive: boolean;
  className: string;
}

/** Measurements of the incoming video: latest values, chart and table. Space is reserved until they load. */
function HealthPanel({ health, live, issueTexts, wasRecentlyLive, className }: HealthPanelProps) {
  const t = useTranslations('streams.healthPanel');
  const samples = health?.samples ?? [];
  const hasChart = samples.length > 1;
  if (!live && !hasChart && (health || !wasRecentlyLive)) return null;
  return (
    <Panel
      id={healthPanelId}
      title={t('health')}
      className={className}
      description={health ? describeHealth(t, health, live, issueTexts) : <Skeleton className="h-4 w-56" />}
    >
      {live && <IssueList issueTexts={issueTexts} />}
      {!health?.latest && live && <FactsPlaceholder />}
      {live && health?.latest && <HealthFacts latest={health.latest} />}
      {!hasChart && <ChartPlaceholder />}
      {health && hasChart && (
        <>
          <Legend />
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <HealthChart columns={chartColumns(samples, health.interval)} from={health.from} to={health.to} />
          </Suspense>
          <details className="mt-3">
            <summary className="text-ink-2 hover:text-ink cursor-pointer rounded-sm text-sm">
              {t('showAsATable')}
            </summary>
            <div className="mt-3">
              <MinutesTable health={health} />
            </div>
          </details>
        </>
      )}
    </Panel>
  );
}

function HealthFacts({ latest }: { latest: StreamHealthSample }) {
  const t = useTranslations('streams.healthTexts');
  const language = useLocale();
  return (
    <dl className="live-figure mb-5 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4 xl:grid-cols-3">
      {healthFacts(t, latest, language).map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-ink-3 text-sm">{name}</dt>
          <dd className="font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function FactsPlaceholder() {
  return (
    <div aria-hidden="true" className="mb-5 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4 xl:grid-cols-3">
      {Array.from({ length: FACT_COUNT }, (_, index) => (
        <Skeleton key={index} className="h-[2.625rem] w-full" />
      ))}
    </div>
  );
}

function ChartPlaceholder() {
  return (
    <div aria-hidden="true">
      <Legend />
      <Skeleton className="h-40 w-full" />
      <div className="mt-3 h-5" />
    </div>
  );
}

function describeHealth(
  t: Translator<'streams.healthPanel'>,
  { latest }: StreamHealthObject,
  live: boolean,
  issueTexts: readonly string[],
): string {
  if (!live) return t('streamIsIdle');
  if (issueTexts.length > 0) return t('needAttention', { count: issueTexts.length });
  return latest ? t('healthy') : t('firstMeasurement');
}

function Legend() {
  const t = useTranslations('streams.healthPanel');
  return (
    <p aria-hidden="true" className="text-ink-3 mb-1 flex justify-between text-xs">
      <span className="flex items-center gap-1.5">
        <span className="bg-accent h-0.5 w-4" />
        Mbit/s
      </span>
      <span className="flex items-center gap-1.5">
        <span className="border-ink-2 w-4 border-t-2 border-dashed" />
        {t('framesPerSecond')}
      </span>
    </p>
  );
}

function MinutesTable({ health }: { health: StreamHealthObject }) {
  const t = useTranslations('streams.healthPanel');
  const language = useLocale();
  const { time, full } = useTimeFormat();
  return (
    <Table
      label={t('lastTenMinutes')}
      head={
        <>
          <Column>{t('minute')}</Column>
          <Column>{t('bitrate')}</Column>
          <Column>{t('frameRate')}</Column>
          <Column>{t('longestKeyframeInterval')}</Column>
        </>
      }
    >
      {healthMinutes(health.samples).map(({ at, bitrate, fps, keyframeInterval }) => (
        <Row key={at}>
          <Cell>
            <span title={full(at)}>{time(at)}</span>
          </Cell>
          <Cell label={t('bitrate')}>{formatBitrate(bitrate, language)}</Cell>
          <Cell label={t('frameRate')}>{fps === null ? t('noVideo') : t('fps', { fps })}</Cell>
          <Cell label={t('longestKeyframeInterval')}>
            {keyframeInterval === null ? '–' : t('seconds', { seconds: keyframeInterval })}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

const REFRESH_INTERVAL_MS = 5000;
/** Time for which the measurements of a session are shown after its end. */
const SHOWN_AFTER_END_MS = 600_000;

interface StreamHealthPanelProps {
  stream: Stream;
  /** Whether the user opened the panel of a live stream. */
  open: boolean;
  className: string;
}

/**
 * Health panel of a stream. Renders nothing while a live stream's panel is closed, or without video in the last ten
 * minutes.
 */
export function StreamHealthPanel({ stream, open, className }: StreamHealthPanelProps) {
  const { data } = useStreamHealth(stream.id, REFRESH_INTERVAL_MS);
  const [openedAt] = useState(Date.now);
  const translateMessage = useTranslateMessage();
  if (stream.isActive && !open) return null;
  return (
    <HealthPanel
      health={data}
      live={stream.isActive}
      issueTexts={currentIssuesOf(stream, translateMessage)}
      wasRecentlyLive={openedAt - stream.lastSeen < SHOWN_AFTER_END_MS}
      className={className}
    />
  );
}
