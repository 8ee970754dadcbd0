'use client';

import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { fromZero, Plot, type PlotStyle, type PlotOptions } from '@/components/ui/plot';
import type { ViewerPoint } from './viewer-history';

interface ViewersChartProps {
  points: readonly ViewerPoint[];
  /** Whether the axis has labels with dates instead of times. */
  showDates: boolean;
}

/** Viewers over time as an area. */
export default function ViewersChart({ points, showDates }: ViewersChartProps) {
  const t = useTranslations('streams.viewersChart');
  const data = useMemo(
    (): [number[], number[]] => [points.map(({ at }) => at / 1_000), points.map(({ viewers }) => viewers)],
    [points],
  );
  return (
    <Plot
      height={160}
      options={showDates ? optionsWithDates : optionsWithTimes}
      data={data}
      label={t('label')}
    />
  );
}

const optionsWithTimes = (style: PlotStyle) => optionsOf(style, { space: 90, values: style.clockTimes });
const optionsWithDates = (style: PlotStyle) => optionsOf(style, { space: 60, values: style.days });

/**
 * Options of the chart. `size` and `space` are pixels: the width of an axis, and the least distance of its labels.
 * `incrs` are the steps of the labels; they are whole, because fractions of viewers would be confusing.
 */
const optionsOf = (
  { color, axis, tzDate }: PlotStyle,
  timeLabels: Pick<NonNullable<PlotOptions['axes']>[number], 'space' | 'values'>,
): PlotOptions => ({
  tzDate,
  scales: { y: { range: fromZero(1.15, 4) } },
  axes: [
    { ...axis, grid: { show: false }, size: 28, ...timeLabels },
    {
      ...axis,
      size: 44,
      space: 36,
      incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
    },
  ],
  series: [
    {},
    { stroke: color('--accent'), fill: color('--accent-soft'), width: 2, points: { show: false } },
  ],
});
