'use client';

import { useMemo } from 'react';
import UPlot from 'uplot';
import { useLocale, useTranslations } from 'use-intl';
import { formatSize } from '@/components/ui/figures';
import { fromZero, Plot, type PlotStyle, type PlotOptions } from '@/components/ui/plot';
import { timeFormatOf } from '@/components/ui/time/time-format';
import type { Language } from '@/messages/languages';
import { stackDays, usageKinds, type UsageDay } from './usage-figures';

const HEIGHT_PX = 260;
const MAX_BAR_PX = 28;
/** Theme colors of the parts of a bar, from bottom to top. */
const usageColors = ['--accent', '--accent-line', '--warn-line'] as const;

type UsageChartProps = { days: readonly UsageDay[] };

/** Received minutes per day, one bar with three parts each. */
export function ReceivedMinutesChart({ days }: UsageChartProps) {
  const t = useTranslations('usage.usageChart');
  const locale = useLocale();
  const unit = useTranslations('usage.usageTotals')('min');
  const options = useMemo(() => receivedMinutesOptions(locale, unit), [locale, unit]);
  const data = useMemo(() => createStackedChartData(days), [days]);
  return <Plot height={HEIGHT_PX} options={options} data={data} label={t('minutesReceivedPerDay')} />;
}

/** Delivery per day: minutes as bars, bytes as a line. */
export function DeliveryChart({ days }: UsageChartProps) {
  const t = useTranslations('usage.usageChart');
  const locale = useLocale();
  const unit = useTranslations('usage.usageTotals')('min');
  const options = useMemo(() => deliveryOptions(locale, unit), [locale, unit]);
  const data = useMemo(
    (): UPlot.AlignedData => [
      unixSecondsOf(days),
      days.map(({ deliveredMinutes }) => deliveredMinutes),
      days.map(({ deliveredBytes }) => deliveredBytes),
    ],
    [days],
  );
  return <Plot height={HEIGHT_PX} options={options} data={data} label={t('minutesAndBytesDelivered')} />;
}

/** Start of each day in UTC, in Unix seconds. */
const unixSecondsOf = (days: readonly UsageDay[]) => days.map(({ date }) => Date.parse(date) / 1000);

/** Data of the chart, with the highest series first, because each series is painted over the previous series. */
function createStackedChartData(days: readonly UsageDay[]): UPlot.AlignedData {
  return [unixSecondsOf(days), ...stackDays(days).reverse()];
}

/** Options of a series that is drawn as bars of 70 % of the available width. */
const barOptions = () => {
  const paths = UPlot.paths.bars?.({ size: [0.7, MAX_BAR_PX], align: 0 });
  return { width: 0, points: { show: false }, ...(paths ? { paths } : {}) };
};
/** Time axis in UTC, with half a day of margin for the outer bars. */
const utcTimeAxis = {
  tzDate: (seconds: number) => UPlot.tzDate(new Date(seconds * 1000), 'UTC'),
  x: {
    range: (_: UPlot, first: number, last: number): UPlot.Range.MinMax => [first - 43_200, last + 43_200],
  },
};

const daysAxis = (locale: Language) => {
  const { day } = timeFormatOf({ zone: 'UTC', hours: '24' }, locale);
  return {
    grid: { show: false },
    values: (_: UPlot, seconds: number[]) => seconds.map((second) => day(second * 1000)),
    space: 60,
  };
};

/** Steps between labels: 1, 2, 5, 10, 20, 50 and so on. */
const wholeSteps = [1, 10, 100, 1_000, 10_000, 100_000].flatMap((powerOfTen) => [
  powerOfTen,
  2 * powerOfTen,
  5 * powerOfTen,
]);

const minutesAxis = (locale: Language, unit: string) => ({
  size: 76,
  // Only whole minutes are labelled, so that an empty chart has no fractions on its axis.
  incrs: wholeSteps,
  values: (_: UPlot, ticks: number[]) => ticks.map((tick) => `${tick.toLocaleString(locale)} ${unit}`),
});

const receivedMinutesOptions =
  (locale: Language, unit: string) =>
  ({ color, axis }: PlotStyle): PlotOptions => ({
    tzDate: utcTimeAxis.tzDate,
    scales: { x: utcTimeAxis.x, y: { range: fromZero(1.05, 1) } },
    axes: [
      { ...axis, ...daysAxis(locale) },
      { ...axis, ...minutesAxis(locale, unit) },
    ],
    series: [
      {},
      ...usageKinds.map((_, index) => ({
        ...barOptions(),
        fill: color(usageColors[usageKinds.length - 1 - index] ?? '--accent'),
      })),
    ],
  });

/** Options of the delivery chart. The line has more headroom than the bars, so that it does not overlap them. */
const deliveryOptions =
  (locale: Language, unit: string) =>
  ({ color, axis }: PlotStyle): PlotOptions => ({
    tzDate: utcTimeAxis.tzDate,
    scales: { x: utcTimeAxis.x, y: { range: fromZero(1.05, 1) }, bytes: { range: fromZero(1.4, 1_000_000) } },
    axes: [
      { ...axis, ...daysAxis(locale) },
      { ...axis, ...minutesAxis(locale, unit) },
      {
        ...axis,
        scale: 'bytes',
        // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- 1 = right; the const enum of uPlot does not exist at run time
        side: 1,
        size: 68,
        grid: { show: false },
        values: (_, ticks) => ticks.map((tick) => formatSize(tick, locale)),
      },
    ],
    series: [
      {},
      { ...barOptions(), fill: color('--accent') },
      { scale: 'bytes', stroke: color('--ink-2'), dash: [4, 4], width: 1.5, points: { show: false } },
    ],
  });
