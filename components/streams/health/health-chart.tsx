'use client';

import { useTranslations } from 'use-intl';
import { fromZero, Plot, type PlotStyle, type PlotOptions } from '@/components/ui/plot';
import type { ChartColumns } from './health-text';

interface HealthChartProps {
  columns: ChartColumns;
  /** Start of the time axis, in Unix milliseconds. */
  from: number;
  /** End of the time axis, in Unix milliseconds. */
  to: number;
}

/** Bitrate as an area, frame rate as a line. */
export default function HealthChart({ columns, from, to }: HealthChartProps) {
  const t = useTranslations('streams.healthChart');
  return <Plot height={160} options={options} data={columns} span={{ from, to }} label={t('label')} />;
}

/**
 * The scale of the frame rate ends at 1.8 times its maximum, that of the bitrate at 1.15 times, so that the two lines do
 * not overlap. `size` and `space` are pixels: the width of an axis, and the least distance of its labels.
 */
const options = ({ color, axis, clockTimes, tzDate }: PlotStyle): PlotOptions => ({
  tzDate,
  scales: { x: { auto: false }, rate: { range: fromZero(1.15, 0.1) }, fps: { range: fromZero(1.8, 0.1) } },
  axes: [
    { ...axis, grid: { show: false }, size: 28, space: 90, values: clockTimes },
    { ...axis, scale: 'rate', size: 44, space: 36 },
    // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- 1 = right; the const enum of uPlot does not exist at run time
    { ...axis, scale: 'fps', side: 1, size: 36, space: 36, grid: { show: false } },
  ],
  series: [
    {},
    {
      scale: 'rate',
      stroke: color('--accent'),
      fill: color('--accent-soft'),
      width: 2,
      points: { show: false },
    },
    { scale: 'fps', stroke: color('--ink-2'), dash: [4, 4], width: 1.5, points: { show: false } },
  ],
});
