'use client';

import 'uplot/dist/uPlot.min.css';
import { useTheme } from 'next-themes';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { stacked, usageKinds, type UsageDay } from './usage-figures';

const HEIGHT_PX = 260;
const WIDEST_BAR_PX = 28;
/** Of each kind from the bottom up: a custom property of the theme. */
const usageColors = ['--accent', '--accent-line', '--warn-line'] as const;

/** Minutes a day, one bar of three parts each. For those who see it; the table says the same. */
export default function UsageChart({ days }: { days: readonly UsageDay[] }) {
  const place = useRef<HTMLDivElement>(null);
  const { resolvedTheme } = useTheme();
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new UPlot(optionsFor(element), dataOf(days), element);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
    // A canvas keeps the colours it was painted with: another theme is another chart.
  }, [days, resolvedTheme]);
  return <div ref={place} aria-hidden="true" style={{ height: HEIGHT_PX }} className="overflow-hidden" />;
}

/** The highest first: each one is painted over the one behind it. */
function dataOf(days: readonly UsageDay[]): UPlot.AlignedData {
  const seconds = days.map(({ date }) => Date.parse(date) / 1000);
  return [seconds, ...stacked(days).reverse()];
}

function optionsFor(element: HTMLElement): UPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--ink-3'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
  const bars = UPlot.paths.bars?.({ size: [0.7, WIDEST_BAR_PX], align: 0 });
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    scales: {
      x: { range: (_, first, last) => [first - 43_200, last + 43_200] },
      y: { range: (_, _low, high) => [0, Math.max(1, high * 1.05)] },
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
