'use client';

import { useMemo } from 'react';
import UPlot from 'uplot';
import { fromZero, Plot, type PlotLook, type PlotOptions } from '@/components/ui/plot';
import { stacked, usageKinds, type UsageDay } from './usage-figures';

const WIDEST_BAR_PX = 28;
/** Of each kind from the bottom up: a custom property of the theme. */
const usageColors = ['--accent', '--accent-line', '--warn-line'] as const;

/** Minutes a day, one bar of three parts each. */
export default function UsageChart({ days }: { days: readonly UsageDay[] }) {
  const data = useMemo(() => dataOf(days), [days]);
  return (
    <Plot
      height={260}
      options={options}
      data={data}
      label="Minutes a day. The numbers are in the table beside it."
    />
  );
}

/** The highest first: each one is painted over the one behind it. */
function dataOf(days: readonly UsageDay[]): UPlot.AlignedData {
  const seconds = days.map(({ date }) => Date.parse(date) / 1000);
  return [seconds, ...stacked(days).reverse()];
}

function options({ color, axis }: PlotLook): PlotOptions {
  const bars = UPlot.paths.bars?.({ size: [0.7, WIDEST_BAR_PX], align: 0 });
  return {
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    scales: {
      x: { range: (_, first, last) => [first - 43_200, last + 43_200] },
      y: { range: fromZero(1.05, 1) },
    },
    axes: [
      { ...axis, grid: { show: false }, values: '{D} {MMM}', space: 60 },
      { ...axis, size: 52, values: (_, ticks) => ticks.map((tick) => tick.toLocaleString('en')) },
    ],
    series: [
      {},
      ...[...usageKinds].reverse().map((kind, index) => ({
        label: kind.label,
        fill: color(usageColors[usageKinds.length - 1 - index] ?? '--accent'),
        width: 0,
        points: { show: false },
        ...(bars ? { paths: bars } : {}),
      })),
    ],
  };
}
