'use client';

import { useMemo } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { useRecentSessions } from '@/components/streams/activity/activity-queries';
import { cn } from '@/components/ui/class-names';
import { formatBitrate } from '@/components/ui/figures';
import { formatDuration } from '@/components/ui/time-text';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import { useSessionEvents, useSessionHealth } from '@/lib/client/queries/stream-watch-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import type { StreamHealthObject } from '@/lib/contract/streams/stream-health';
import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';
import { type OnAirPeriod, findOnAirPeriods } from '@/lib/core/streams/on-air-periods';
import { programInputs } from '@/lib/core/streams/program-state';
import {
  type SessionNote,
  bitratePath,
  describeNote,
  createNotes,
  programEvents,
  summarizeNotes,
} from './session-notes';

/** Refresh interval. The service stores a sample only every few seconds. */
const REFRESH_INTERVAL_MS = 10_000;
/** Number of notes that fit into the row. */
const SHOWN_NOTES = 3;

/** Timeline of the live session: inputs on air, bitrate and incidents. */
export function LiveSessionTimeline({ stream, className }: { stream: Stream; className?: string }) {
  const sessions = useRecentSessions(stream.id).data?.items;
  const startsAt = sessions?.find(({ state }) => state !== 'ended')?.createdAt;
  if (!stream.isActive) return null;
  return <SessionTimelineSection stream={stream} startsAt={startsAt} className={className} />;
}

interface SessionTimelineSectionProps {
  stream: Stream;
  /** Start of the session; undefined while loading. */
  startsAt: number | undefined;
  className: string | undefined;
}

function SessionTimelineSection({ stream, startsAt, className }: SessionTimelineSectionProps) {
  const t = useTranslations('streams.thisBroadcast');
  const health = useSessionHealth(stream.id, startsAt, REFRESH_INTERVAL_MS).data;
  const events = useSessionEvents(stream.id, startsAt, REFRESH_INTERVAL_MS).data;
  return (
    <section
      aria-label={t('title')}
      className={cn('bg-surface min-h-26 min-w-0 rounded-lg border px-4 py-2.5', className)}
    >
      {startsAt !== undefined && health && events && (
        <Timeline
          stream={stream}
          startsAt={startsAt}
          health={health}
          events={events.items}
          complete={events.nextCursor === null}
        />
      )}
    </section>
  );
}

interface TimelineProps {
  stream: Stream;
  startsAt: number;
  health: StreamHealthObject;
  events: readonly StreamEvent[];
  /** Whether these are all events of the session. */
  complete: boolean;
}

function Timeline({ stream, startsAt, health, events, complete }: TimelineProps) {
  const t = useTranslations('streams.thisBroadcast');
  const format = useTimeFormat();
  const { to, interval: intervalMs, samples } = health;
  const { program } = stream;
  const periods = useMemo(
    () =>
      findOnAirPeriods({
        from: startsAt,
        to,
        sampleIntervalMs: intervalMs,
        events: programEvents(events),
        current: program,
        sampledAt: samples.map(({ at }) => at),
      }),
    [startsAt, to, intervalMs, events, program, samples],
  );
  const notes = useMemo(() => createNotes(periods, events, startsAt), [periods, events, startsAt]);
  const positionOf = (time: number) =>
    `${(Math.max(0, time - startsAt) / Math.max(1, to - startsAt)) * 100}%`;
  return (
    <>
      <TimelineHeader periods={periods} samples={samples} />
      <div role="img" aria-label={summarizeNotes(t, notes)} className="relative mt-1.5">
        <svg
          aria-hidden="true"
          viewBox="0 0 1000 100"
          preserveAspectRatio="none"
          className="text-accent-line block h-5 w-full"
        >
          <path
            d={bitratePath(samples, { from: startsAt, to, intervalMs })}
            fill="currentColor"
            opacity="0.6"
          />
        </svg>
        <div className="flex h-3 w-full overflow-hidden rounded-xs">
          {periods.map((period) => (
            <span
              key={period.from}
              title={t('period', {
                input: t(`input.${period.input ?? 'none'}`),
                from: format.timeWithSeconds(period.from),
                time: formatDuration((period.to - period.from) / 1_000),
              })}
              className={cn('min-w-px shrink', inputColors[period.input ?? 'none'])}
              style={{ flexGrow: period.to - period.from, flexBasis: 0 }}
            />
          ))}
        </div>
        <div aria-hidden="true" className="relative h-1.5">
          {notes.map((note) => (
            <span
              key={`${note.kind} ${note.at}`}
              className={cn('absolute h-full w-px', isProblem(note) ? 'bg-warn-ink' : 'bg-ink-3')}
              style={{ left: positionOf(note.at) }}
            />
          ))}
        </div>
      </div>
      <div className="text-ink-2 flex justify-between gap-x-4 text-xs tabular-nums">
        <span className="shrink-0">{format.time(startsAt)}</span>
        <TimelineNotes notes={notes} complete={complete} />
        <span className="shrink-0">{t('now')}</span>
      </div>
    </>
  );
}

const inputColors = {
  primary: 'bg-accent',
  standby: 'bg-accent-line',
  slate: 'bg-ink-3',
  none: 'bg-warn-line',
} as const;

function TimelineHeader({
  periods,
  samples,
}: {
  periods: readonly OnAirPeriod[];
  samples: StreamHealthObject['samples'];
}) {
  const t = useTranslations('streams.thisBroadcast');
  const language = useLocale();
  const bitrates = samples.map(({ bitrate }) => bitrate);
  const shownInputs = [...programInputs, null].filter((input) =>
    periods.some((period) => period.input === input),
  );
  return (
    <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
      <h2 className="font-semibold">{t('title')}</h2>
      <p className="text-ink-2 flex flex-wrap gap-x-4 text-xs">
        {bitrates.length > 0 && (
          <span className="live-figure tabular-nums">
            {t('bitrate', {
              least: formatBitrate(Math.min(...bitrates), language),
              most: formatBitrate(Math.max(...bitrates), language),
            })}
          </span>
        )}
        {shownInputs.map((input) => (
          <span key={input} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={cn('size-2.5 rounded-xs', inputColors[input ?? 'none'])} />
            {t(`input.${input ?? 'none'}`)}
          </span>
        ))}
      </p>
    </header>
  );
}

function TimelineNotes({ notes, complete }: { notes: readonly SessionNote[]; complete: boolean }) {
  const t = useTranslations('streams.thisBroadcast');
  const format = useTimeFormat();
  const hiddenCount = notes.length - SHOWN_NOTES;
  if (notes.length === 0 && complete) return <span>{t('nothingWentWrong')}</span>;
  return (
    <ul className="flex min-w-0 flex-1 flex-wrap justify-center gap-x-4">
      {!complete && <li className="text-warn-ink">{t('incomplete')}</li>}
      {hiddenCount > 0 && <li>{t('earlier', { count: hiddenCount })}</li>}
      {notes.slice(-SHOWN_NOTES).map((note) => (
        <li
          key={`${note.kind} ${note.at}`}
          className={cn('min-w-0 truncate', isProblem(note) && 'text-warn-ink')}
        >
          {format.timeWithSeconds(note.at)} {describeNote(t, note)}
        </li>
      ))}
    </ul>
  );
}

const isProblem = ({ kind }: SessionNote) => kind === 'gap' || kind === 'targetFailed';
