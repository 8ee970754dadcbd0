'use client';

import { useTheme } from 'next-themes';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartColumns } from './health-words';

const HEIGHT = 160;

/** Bitrate as an area, frame rate as a line. Loaded when it is shown; its numbers are in a table beside it. */
export default function HealthChart({
  columns,
  from,
  to,
}: {
  columns: ChartColumns;
  from: number;
  to: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(null);
  const { resolvedTheme } = useTheme();

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    // Colours are read once: another theme makes another chart.
    const plot = new UPlot(optionsOf(element.clientWidth), [[], [], []], element);
    chart.current = plot;
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
      chart.current = null;
    };
  }, [resolvedTheme]);

  useEffect(() => {
    chart.current?.batch(() => {
      chart.current?.setData(columns, false);
      chart.current?.setScale('x', { min: from / 1_000, max: to / 1_000 });
    });
  }, [columns, from, to, resolvedTheme]);

  return (
    <div
      ref={place}
      role="img"
      aria-label="Bitrate and frame rate of the last ten minutes. The numbers are in the table below."
      className="h-40 w-full overflow-hidden"
    />
  );
}

/** The frame rate has more room above it, so that the two lines do not lie on each other. */
function optionsOf(width: number): UPlot.Options {
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const [ink, line, accent, soft, second] = ['--ink-3', '--line', '--accent', '--accent-soft', '--ink-2'].map(
    (name) => getComputedStyle(document.documentElement).getPropertyValue(name),
  ) as [string, string, string, string, string];
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font };
  const upTo =
    (times: number) =>
    (_plot: UPlot, _min: number, max: number): UPlot.Range.MinMax => [0, Math.max(0.1, max * times)];
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { auto: false }, rate: { range: upTo(1.15) }, fps: { range: upTo(1.8) } },
    axes: [
      { ...axis, grid: { show: false }, size: 28, space: 90, values: (_plot, times) => times.map(clockTime) },
      { ...axis, scale: 'rate', size: 44, space: 36 },
      // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- on the right: a const enum, gone by now
      { ...axis, scale: 'fps', side: 1, size: 36, space: 36, grid: { show: false } },
    ],
    series: [
      {},
      { scale: 'rate', stroke: accent, fill: soft, width: 2, points: { show: false } },
      { scale: 'fps', stroke: second, dash: [4, 4], width: 1.5, points: { show: false } },
    ],
  };
}

const clockTime = (seconds: number): string =>
  new Date(seconds * 1_000).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });
