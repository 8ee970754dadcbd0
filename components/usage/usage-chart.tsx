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
const WIDEST_BAR_PX = 28;
/** Theme colours of the areas, from bottom to top. */
const usageColors = ['--accent', '--accent-line', '--warn-line'] as const;

type DaysProps = { days: readonly UsageDay[] };

/** Received minutes per day, one bar with three parts each. */
export function IntakeChart({ days }: DaysProps) {
  const t = useTranslations('usage.usageChart');
  const locale = useLocale();
  const options = useMemo(() => intakeOf(locale), [locale]);
  const data = useMemo(() => dataOf(days), [days]);
  return <Plot height={HEIGHT_PX} options={options} data={data} label={t('minutesReceivedPerDay')} />;
}

/** Delivery per day: minutes as bars, bytes as a line. */
export function DeliveryChart({ days }: DaysProps) {
  const t = useTranslations('usage.usageChart');
  const locale = useLocale();
  const options = useMemo(() => deliveryOf(locale), [locale]);
  const data = useMemo(
    (): UPlot.AlignedData => [
      secondsOf(days),
      days.map(({ deliveredMinutes }) => deliveredMinutes),
      days.map(({ deliveredBytes }) => deliveredBytes),
    ],
    [days],
  );
  return <Plot height={HEIGHT_PX} options={options} data={data} label={t('minutesAndBytesDelivered')} />;
}

const secondsOf = (days: readonly UsageDay[]) => days.map(({ date }) => Date.parse(date) / 1000);

/** Highest series first, because each is painted over the previous one. */
function dataOf(days: readonly UsageDay[]): UPlot.AlignedData {
  return [secondsOf(days), ...stackDays(days).reverse()];
}

const bars = () => {
  const paths = UPlot.paths.bars?.({ size: [0.7, WIDEST_BAR_PX], align: 0 });
  return { width: 0, points: { show: false }, ...(paths ? { paths } : {}) };
};
/** Days are in UTC; half a day of margin for the outer bars. */
const utcDays = {
  tzDate: (seconds: number) => UPlot.tzDate(new Date(seconds * 1000), 'UTC'),
  x: {
    range: (_: UPlot, first: number, last: number): UPlot.Range.MinMax => [first - 43_200, last + 43_200],
  },
};

const daysAxis = (locale: Language) => {
  const { day } = timeFormatOf({ zone: 'UTC', hours: '24' }, locale);
  return {
    grid: { show: false },
    values: (_: UPlot, seconds: number[]) => seconds.map((at) => day(at * 1000)),
    space: 60,
  };
};

const wholeSteps = [1, 10, 100, 1_000, 10_000, 100_000].flatMap((ten) => [ten, 2 * ten, 5 * ten]);

const minutesAxis = (locale: Language) => ({
  size: 52,
  // Whole minutes only, so that an empty chart has no fractions on its axis.
  incrs: wholeSteps,
  values: (_: UPlot, ticks: number[]) => ticks.map((tick) => tick.toLocaleString(locale)),
});

const intakeOf =
  (locale: Language) =>
  ({ color, axis }: PlotStyle): PlotOptions => ({
    tzDate: utcDays.tzDate,
    scales: { x: utcDays.x, y: { range: fromZero(1.05, 1) } },
    axes: [
      { ...axis, ...daysAxis(locale) },
      { ...axis, ...minutesAxis(locale) },
    ],
    series: [
      {},
      ...usageKinds.map((_, index) => ({
        ...bars(),
        fill: color(usageColors[usageKinds.length - 1 - index] ?? '--accent'),
      })),
    ],
  });

/** The line has more headroom, so that it does not overlap the bars. */
const deliveryOf =
  (locale: Language) =>
  ({ color, axis }: PlotStyle): PlotOptions => ({
    tzDate: utcDays.tzDate,
    scales: { x: utcDays.x, y: { range: fromZero(1.05, 1) }, bytes: { range: fromZero(1.4, 1_000_000) } },
    axes: [
      { ...axis, ...daysAxis(locale) },
      { ...axis, ...minutesAxis(locale) },
      {
        ...axis,
        scale: 'bytes',
        // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- on the right: a const enum, gone by now
        side: 1,
        size: 68,
        grid: { show: false },
        values: (_, ticks) => ticks.map((tick) => formatSize(tick, locale)),
      },
    ],
    series: [
      {},
      { ...bars(), fill: color('--accent') },
      { scale: 'bytes', stroke: color('--ink-2'), dash: [4, 4], width: 1.5, points: { show: false } },
    ],
  });
