'use client';

import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import UPlot from 'uplot';
import { cn } from '@/components/ui/class-names';
import { fromZero, Plot, type PlotStyle, type PlotOptions } from '@/components/ui/plot';
import type { Audience } from '@/lib/contract/audience/audience';
import { causeElementId } from './audience-causes';
import { coversDays, isolatedIndexes } from './audience-text';

/**
 * Width of the axis labels on the left and of the last label on the right, equal in all charts, so that they share one
 * time axis.
 */
const LEFT_LABELS_PX = 44;
const LAST_LABEL_PX = 12;
const CHART_HEIGHT_PX = { watching: 120, startup: 84, stalled: 84, encoder: 84 } as const;
/** Height of the time labels below the last chart. */
const TIME_LABELS_PX = 28;
/** Distance between the numbers of two bands that are placed side by side. */
const MARK_PX = 22;
/** Fraction of the time axis within which the numbers of two bands would overlap on a phone. */
const CLOSE_FRACTION = 0.04;

type ChartName = keyof typeof CHART_HEIGHT_PX;

/** Four charts on one time axis, with a band across all of them for each cause. */
export default function AudienceCharts({ audience }: { audience: Audience }) {
  const t = useTranslations('audience.charts');
  const data = useMemo(() => createChartData(audience), [audience]);
  const charts: readonly ChartName[] = hasEncoder(audience)
    ? ['watching', 'startup', 'stalled', 'encoder']
    : ['watching', 'startup', 'stalled'];
  const notes = { startup: t('startupNote'), stalled: t('stalledNote'), encoder: t('encoderNote') };
  const lastChart = charts.at(-1);
  const span = { from: audience.from, to: audience.to };
  return (
    <div role="group" aria-label={t('label')} className="relative pt-6">
      <Bands audience={audience} />
      {charts.map((chart, index) => (
        <div key={chart} className={cn('relative', index > 0 && 'pt-2')}>
          <p className="flex justify-between gap-3 text-xs" style={{ paddingRight: LAST_LABEL_PX }}>
            <span className="font-semibold">{t(chart)}</span>
            {chart !== 'watching' && <span className="text-ink-3">{notes[chart]}</span>}
          </p>
          <Plot
            height={CHART_HEIGHT_PX[chart] + (chart === lastChart ? TIME_LABELS_PX : 0)}
            options={cachedOptionsFor(
              chart,
              chart === lastChart ? (coversDays(audience) ? 'days' : 'times') : 'none',
            )}
            data={data[chart]}
            span={span}
            label={t(chart)}
          />
        </div>
      ))}
    </div>
  );
}

const hasEncoder = ({ points }: Pick<Audience, 'points'>): boolean =>
  points.some(({ bitrate }) => bitrate !== null);

/** Each band links to the description of its incident; arrow keys move between bands. */
function Bands({ audience: { incidents, from, to } }: { audience: Audience }) {
  const t = useTranslations('audience.charts');
  const tCauses = useTranslations('audience.causes');
  /** Number of bands that start shortly before this one: their labels are placed side by side. */
  const closeBandsBefore = (index: number): number => {
    const [band, previousBand] = [incidents[index], incidents[index - 1]];
    return band && previousBand && band.from - previousBand.from < (to - from) * CLOSE_FRACTION
      ? closeBandsBefore(index - 1) + 1
      : 0;
  };
  /** @param time Unix milliseconds */
  const fractionAt = (time: number) => Math.min(1, Math.max(0, (time - from) / (to - from)));
  const leftOf = (fraction: number) =>
    `calc(${LEFT_LABELS_PX}px + (100% - ${LEFT_LABELS_PX + LAST_LABEL_PX}px) * ${fraction})`;
  return (
    <div className="absolute inset-0">
      {incidents.map((incident, index) => {
        const [start, end] = [fractionAt(incident.from), fractionAt(incident.to)];
        return (
          <button
            key={`${incident.from}${incident.cause}${incident.object?.id ?? ''}`}
            type="button"
            aria-label={t('band', { number: String(index + 1), title: tCauses(`name.${incident.cause}`) })}
            className="border-warn-line absolute inset-y-0 border-l"
            style={{
              left: leftOf(start),
              width: `max(3px, calc((100% - ${LEFT_LABELS_PX + LAST_LABEL_PX}px) * ${end - start}))`,
            }}
            onClick={() => document.getElementById(causeElementId(index))?.focus()}
            onKeyDown={({ key, currentTarget }) => {
              const siblingBand =
                key === 'ArrowRight'
                  ? currentTarget.nextElementSibling
                  : currentTarget.previousElementSibling;
              if ((key === 'ArrowRight' || key === 'ArrowLeft') && siblingBand instanceof HTMLElement)
                siblingBand.focus();
            }}
          >
            <span
              aria-hidden="true"
              className="bg-warn-soft absolute inset-x-0 top-5 opacity-70"
              style={{ bottom: TIME_LABELS_PX }}
            />
            <span
              aria-hidden="true"
              className="bg-warn-soft text-warn-ink border-warn-line absolute top-0 left-0 grid size-5 -translate-x-1/2 place-items-center rounded-full border text-xs font-semibold"
              style={{ marginLeft: closeBandsBefore(index) * MARK_PX }}
            >
              {index + 1}
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** The bitrate of a point may arrive this long after the point. */
const BITRATE_DELAY_MS = 120_000;

/** Columns of each chart: the times in Unix seconds, then the values in viewers, seconds, percent or Mbit/s. */
function createChartData({ points, to }: Audience): Record<ChartName, UPlot.AlignedData> {
  const seconds = points.map(({ at }) => at / 1_000);
  const column = (selectValue: (point: Audience['points'][number]) => number | null) =>
    points.map(selectValue);
  const toSeconds = (ms: number | null) => (ms === null ? null : ms / 1_000);
  // A missing bitrate between two measurements means a silent encoder, so it is 0, unless it is still to come.
  const hasBitrate = points.map(({ bitrate }) => bitrate !== null);
  const [firstMeasured, lastMeasured] = [hasBitrate.indexOf(true), hasBitrate.lastIndexOf(true)];
  const hasFinalBitrate = (time: number) => to - time > BITRATE_DELAY_MS;
  return {
    watching: [seconds, column(({ viewers }) => viewers)],
    startup: [
      seconds,
      column(({ startupHalfMs }) => toSeconds(startupHalfMs)),
      column(({ startupMostMs }) => toSeconds(startupMostMs)),
    ],
    stalled: [seconds, column(({ stalledShare }) => stalledShare * 100)],
    encoder: [
      seconds,
      points.map(({ bitrate, at }, index) =>
        bitrate === null
          ? index > firstMeasured && index < lastMeasured && hasFinalBitrate(at)
            ? 0
            : null
          : bitrate / 1_000_000,
      ),
    ],
  };
}

type TimeLabels = 'none' | 'times' | 'days';

const optionsByChart = new Map<string, (style: PlotStyle) => PlotOptions>();

/** Options of a chart. They are cached, because a chart compares its options by identity. */
function cachedOptionsFor(chart: ChartName, timeLabels: TimeLabels): (style: PlotStyle) => PlotOptions {
  const key = `${chart} ${timeLabels}`;
  const options = optionsByChart.get(key) ?? ((style: PlotStyle) => createOptions(chart, timeLabels, style));
  optionsByChart.set(key, options);
  return options;
}

/** Smallest maximum of each value axis, so that small values do not fill the chart. */
const minAxisMaximum: Readonly<Record<ChartName, number>> = {
  watching: 4,
  startup: 1,
  stalled: 5,
  encoder: 1,
};
/** Distances between the labels of the viewer axis: whole numbers. */
const viewerAxisSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000];

function createOptions(
  chart: ChartName,
  timeLabels: TimeLabels,
  { color, axis, clockTimes, days, tzDate }: PlotStyle,
): PlotOptions {
  const area = { stroke: color('--accent'), fill: color('--accent-soft'), width: 2, points: { show: false } };
  const isolatedPoints: UPlot.Series.Points = {
    size: 4,
    filter: (plot, index) => isolatedIndexes([...(plot.data[index] ?? [])]),
  };
  const line = { stroke: color('--accent'), width: 2, points: isolatedPoints };
  // Bars begin at the time of their point, and fill 70 % of the distance to the next one, at most 10 px.
  const bars = UPlot.paths.bars?.({ size: [0.7, 10], align: 1 });
  const series: Record<ChartName, PlotOptions['series']> = {
    watching: [{}, area],
    startup: [{}, line, { ...line, stroke: color('--ink-2'), dash: [4, 4], width: 1.5 }],
    stalled: [
      {},
      { width: 0, fill: color('--warn-ink'), points: { show: false }, ...(bars ? { paths: bars } : {}) },
    ],
    encoder: [{}, { ...area, stroke: color('--ink-2'), fill: color('--sunken'), width: 1.5 }],
  };
  return {
    tzDate,
    // The padding makes room for half the height of the highest and the lowest axis label.
    padding: [8, LAST_LABEL_PX, timeLabels === 'none' ? 8 : 0, 0],
    // The value axis begins at 0 and ends 15 % above the highest value.
    scales: { x: { auto: false }, y: { range: fromZero(1.15, minAxisMaximum[chart]) } },
    axes: [
      timeLabels === 'none'
        ? { show: false }
        : {
            ...axis,
            grid: { show: false },
            size: TIME_LABELS_PX,
            space: timeLabels === 'days' ? 60 : 90,
            values: timeLabels === 'days' ? days : clockTimes,
          },
      {
        ...axis,
        size: LEFT_LABELS_PX,
        space: 28,
        ...(chart === 'watching' ? { incrs: viewerAxisSteps } : {}),
      },
    ],
    series: series[chart],
  };
}
