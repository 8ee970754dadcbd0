'use client';

import { useLocale, useTranslations } from 'use-intl';
import { formatBitrate } from '@/components/ui/figures';
import { useTimeFormat } from '@/components/ui/time/time-settings';
import type { StallIncident } from '@/lib/core/audience/stall-incidents';
import type { TimelineEntry, ViewTimeline } from '@/lib/core/audience/view-timeline';
import { deviceClasses, playerNames } from '@/lib/core/audience/viewer-device';
import { formatMilliseconds, describeIncident } from './audience-text';

interface PlaybackReportProps {
  report: {
    readonly playbackId: string;
    readonly device: string;
    readonly player: string;
    readonly timeline: ViewTimeline;
    /** When the report is deleted, in Unix milliseconds. */
    readonly expiresAt: number;
  };
  /** Why viewers stalled at the time of the view; empty for visitors outside the team. */
  incidents: readonly StallIncident[];
}

/** Report of one view: its events and figures, as the player sent them. */
export function PlaybackReportView({ report, incidents }: PlaybackReportProps) {
  const t = useTranslations('audience.report');
  const tShares = useTranslations('audience.shares');
  const format = useTimeFormat();
  const { timeline, playbackId, expiresAt } = report;
  const device = deviceClasses.find((name) => name === report.device) ?? 'other';
  const player = playerNames.find((name) => name === report.player) ?? 'other';
  return (
    <>
      <header className="grid gap-1">
        <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
        <p className="text-ink-2 flex flex-wrap gap-x-3 gap-y-1 text-sm">
          <Time at={timeline.from} />
          <span>
            {t('summary', { player: tShares(`player.${player}`), device: tShares(`device.${device}`) })}
          </span>
          <a href={`/watch/${playbackId}`} className="text-accent-ink underline underline-offset-2">
            {t('watch')}
          </a>
        </p>
      </header>
      <Figures timeline={timeline} />
      <TimelineBar timeline={timeline} />
      <Entries entries={timeline.entries} />
      {incidents.length > 0 && <Incidents incidents={incidents} />}
      <p className="text-ink-3 text-sm" title={format.full(expiresAt)}>
        {t.rich('until', { time: () => <Time at={expiresAt} /> })}
      </p>
    </>
  );
}

function Time({ at }: { at: number }) {
  const format = useTimeFormat();
  return <time dateTime={new Date(at).toISOString()}>{format.dateAndTime(at)}</time>;
}

function Figures({ timeline }: { timeline: ViewTimeline }) {
  const t = useTranslations('audience.report');
  const language = useLocale();
  const { startupMs, playedMs, stalls, stallMs, entries } = timeline;
  const finalState = entries.at(-1)?.state ?? 'playing';
  const figures = [
    [t('startup'), startupMs === null ? t('noPicture') : formatMilliseconds(startupMs, language)],
    [t('played'), formatMilliseconds(playedMs, language)],
    [t('stalls'), t('stallCount', { count: stalls, time: formatMilliseconds(stallMs, language) })],
    [t('end'), t(`state.${finalState}`)],
  ] as const;
  return (
    <dl className="bg-surface grid grid-cols-2 gap-y-3 rounded-lg border p-4 sm:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name} className="min-w-0 pr-3">
          <dt className="text-ink-2 text-xs">{name}</dt>
          <dd className="text-lg font-semibold tracking-tight tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const stateColors: Readonly<Record<TimelineEntry['state'], string>> = {
  playing: 'bg-accent',
  rebuffering: 'bg-live',
  failed: 'bg-live',
  starting: 'bg-warn-line',
  waiting: 'bg-warn-line',
  seeking: 'bg-warn-line',
  preloading: 'bg-sunken',
  paused: 'bg-sunken',
  ended: 'bg-sunken',
  quit: 'bg-sunken',
};

function TimelineBar({ timeline: { from, to, entries } }: { timeline: ViewTimeline }) {
  const t = useTranslations('audience.report');
  const language = useLocale();
  const { timeWithSeconds: time } = useTimeFormat();
  const shownEntries = entries.filter(({ durationMs }) => durationMs > 0);
  const states = [...new Set(shownEntries.map(({ state }) => state))];
  return (
    <section aria-label={t('timeline')} className="grid gap-2">
      <div
        role="img"
        aria-label={t('timelineLabel', { time: formatMilliseconds(to - from, language) })}
        className="border-line flex h-8 overflow-hidden rounded-md border"
      >
        {shownEntries.map(({ at, durationMs, state }, index) => (
          <span
            key={index}
            title={`${time(at)} · ${t(`state.${state}`)} · ${formatMilliseconds(durationMs, language)}`}
            className={`min-w-px ${stateColors[state]}`}
            style={{ flexGrow: durationMs, flexBasis: 0 }}
          />
        ))}
      </div>
      <div className="text-ink-3 flex justify-between text-xs tabular-nums">
        <span>{time(from)}</span>
        <span>{time(to)}</span>
      </div>
      <ul className="text-ink-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {states.map((state) => (
          <li key={state} className="inline-flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-sm border ${stateColors[state]}`} />
            {t(`state.${state}`)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entries({ entries }: { entries: readonly TimelineEntry[] }) {
  const t = useTranslations('audience.report');
  const language = useLocale();
  const { timeWithSeconds: time } = useTimeFormat();
  return (
    <section aria-label={t('events')} className="bg-surface overflow-x-auto rounded-lg border">
      <table className="w-full text-sm">
        <thead className="text-ink-2 text-left text-xs">
          <tr>
            <th className="px-4 py-2 font-medium">{t('time')}</th>
            <th className="px-4 py-2 font-medium">{t('event')}</th>
            <th className="px-4 py-2 text-right font-medium">{t('duration')}</th>
          </tr>
        </thead>
        <tbody className="divide-y border-t">
          {entries.map((entry, index) => (
            <tr key={index} className="align-top">
              <td className="px-4 py-2 whitespace-nowrap tabular-nums">{time(entry.at)}</td>
              <td className="px-4 py-2">
                <Entry entry={entry} />
              </td>
              <td className="px-4 py-2 text-right whitespace-nowrap tabular-nums">
                {entry.durationMs > 0 ? formatMilliseconds(entry.durationMs, language) : '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** One reported state of the player, with the network throughput if it was too low. */
function Entry({ entry: { state, height, throughputKbps, lowestKbps } }: { entry: TimelineEntry }) {
  const t = useTranslations('audience.report');
  const language = useLocale();
  const isSlow = throughputKbps !== null && lowestKbps !== null && throughputKbps < lowestKbps;
  const formatKbps = (kbps: number) => formatBitrate(kbps * 1_000, language);
  return (
    <>
      <span className={state === 'rebuffering' || state === 'failed' ? 'text-live-ink font-medium' : ''}>
        {state === 'playing' && height !== null ? t('quality', { height }) : t(`state.${state}`)}
      </span>
      {isSlow && (
        <span className="text-ink-2 block">
          {t('slow', { throughput: formatKbps(throughputKbps), lowest: formatKbps(lowestKbps) })}
        </span>
      )}
    </>
  );
}

function Incidents({ incidents }: { incidents: readonly StallIncident[] }) {
  const t = useTranslations('audience.report');
  const tCauses = useTranslations('audience.causes');
  const language = useLocale();
  const { timeWithSeconds: time } = useTimeFormat();
  return (
    <section aria-label={t('causes')} className="bg-surface rounded-lg border">
      <h2 className="px-4 pt-3 font-semibold tracking-tight">{t('causes')}</h2>
      <p className="text-ink-3 px-4 pb-2 text-xs">{t('causesText')}</p>
      <ol className="divide-y border-t">
        {incidents.map((incident) => (
          <li key={`${incident.from}${incident.cause}`} className="px-4 py-2.5 text-sm">
            <span className="block font-semibold">
              {tCauses(`name.${incident.cause}`)} · {time(incident.from)}
            </span>
            <span className="text-ink-2">{describeIncident(tCauses, incident, language)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
