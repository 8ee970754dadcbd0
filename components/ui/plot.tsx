'use client';

import 'uplot/dist/uPlot.min.css';
import { useTheme } from 'next-themes';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import type { TimeFormat } from './time/time-format';
import { useTimeFormat } from './time/time-settings';

/** What the theme and the page give to a chart. */
export interface PlotLook {
  /** A custom property of the theme as a colour: `color('--accent')`. */
  readonly color: (name: string) => string;
  /** An axis without ticks and with quiet lines. */
  readonly axis: UPlot.Axis;
  /** Labels of an axis of one day: "13:05". */
  readonly clockTimes: (plot: UPlot, seconds: number[]) => string[];
  /** Labels of an axis of several days: "May 20". */
  readonly days: (plot: UPlot, seconds: number[]) => string[];
  /** Where an axis of days has its midnights. */
  readonly tzDate: (seconds: number) => Date;
}

/** Everything that differs between charts; size, cursor and legend do not. */
export type PlotOptions = Omit<UPlot.Options, 'width' | 'height' | 'legend' | 'cursor'>;

interface PlotProps {
  /** Pixels; the width follows the page. */
  height: number;
  /** A constant: it is asked once, and again with another theme or time zone. */
  options: (look: PlotLook) => PlotOptions;
  data: UPlot.AlignedData;
  /** Milliseconds since 1970 at both ends; left out = what the data covers. */
  span?: { readonly from: number; readonly to: number };
  /** What it shows, for those who do not see it; the numbers are in a table beside it. */
  label: string;
}

/** A chart that keeps its room, follows theme, width and data. Its code is fetched when it is shown. */
export function Plot({ height, options, data, span, label }: PlotProps) {
  const containerRef = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(null);
  const { resolvedTheme } = useTheme();
  const format = useTimeFormat();
  const [from, to] = span ? [span.from / 1_000, span.to / 1_000] : [null, null];

  useEffect(() => {
    const element = containerRef.current;
    if (!element) return;
    // A canvas keeps the colours it was painted with: another theme is another chart.
    const size = { width: element.clientWidth, height, legend: { show: false }, cursor: { show: false } };
    const plot = new UPlot({ ...options(lookOf(element, format)), ...size }, undefined, element);
    chart.current = plot;
    const resizeObserver = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resizeObserver.observe(element);
    return () => {
      resizeObserver.disconnect();
      plot.destroy();
      chart.current = null;
    };
  }, [height, options, resolvedTheme, format]);

  useEffect(() => {
    const plot = chart.current;
    plot?.batch(() => {
      plot.setData(data, from === null);
      if (from !== null) plot.setScale('x', { min: from, max: to });
    });
  }, [data, from, to, height, options, resolvedTheme, format]);

  return (
    <div
      ref={containerRef}
      role="img"
      aria-label={label}
      style={{ height }}
      className="w-full overflow-hidden"
    />
  );
}

function lookOf(element: HTMLElement, { zone, time, day }: TimeFormat): PlotLook {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    color,
    axis: {
      stroke: color('--ink-3'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
      font: `12px ${style.fontFamily}`,
    },
    clockTimes: (_plot, seconds) => seconds.map((at) => time(at * 1_000)),
    days: (_plot, seconds) => seconds.map((at) => day(at * 1_000)),
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), zone),
  };
}

/** From 0 to the highest value plus this margin. */
export const fromZero =
  (times: number, least: number) =>
  (_plot: UPlot, _min: number, max: number): UPlot.Range.MinMax => [0, Math.max(least, max * times)];
