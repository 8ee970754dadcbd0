'use client';

import 'uplot/dist/uPlot.min.css';
import { useTheme } from 'next-themes';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import type { TimeFormat } from './time/time-format';
import { useTimeFormat } from './time/time-settings';

/** Style of a chart, from the theme and the page. */
export interface PlotStyle {
  /** Value of a custom property of the theme: `color('--accent')`. */
  readonly color: (name: string) => string;
  /** An axis without ticks and with muted lines. */
  readonly axis: UPlot.Axis;
  /** Labels for an axis of one day: "13:05". */
  readonly clockTimes: (plot: UPlot, seconds: number[]) => string[];
  /** Labels for an axis of several days: "May 20". */
  readonly days: (plot: UPlot, seconds: number[]) => string[];
  /** Date in the time zone of the page, for the midnights of an axis. */
  readonly tzDate: (seconds: number) => Date;
}

/** Options of a chart. Size, cursor and legend are the same for all charts. */
export type PlotOptions = Omit<UPlot.Options, 'width' | 'height' | 'legend' | 'cursor'>;

interface PlotProps {
  /** Height in pixels; the width follows the page. */
  height: number;
  /** Creates the options when the theme or the time zone changes. Its identity must be stable. */
  options: (style: PlotStyle) => PlotOptions;
  /** Columns: times in Unix seconds, then the values of each line. */
  data: UPlot.AlignedData;
  /** First and last time of the axis, in Unix milliseconds; default: those of the data. */
  span?: { readonly from: number; readonly to: number };
  /** Text alternative; the values are in a table beside the chart. */
  label: string;
}

/** A chart that reserves its space and follows theme, width and data. Its code is loaded when it is shown. */
export function Plot({ height, options, data, span, label }: PlotProps) {
  const containerRef = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(null);
  const { resolvedTheme } = useTheme();
  const format = useTimeFormat();
  const [from, to] = span ? [span.from / 1_000, span.to / 1_000] : [null, null];

  useEffect(() => {
    const element = containerRef.current;
    if (!element) return;
    // A canvas keeps its colors, so a new theme needs a new chart.
    const size = { width: element.clientWidth, height, legend: { show: false }, cursor: { show: false } };
    const plot = new UPlot({ ...options(styleOf(element, format)), ...size }, undefined, element);
    chart.current = plot;
    const resizeObserver = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resizeObserver.observe(element);
    return () => {
      resizeObserver.disconnect();
      plot.destroy();
      chart.current = null;
    };
  }, [height, options, resolvedTheme, format]);

  // Depends on everything that creates a new chart, because a new chart has no data.
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

function styleOf(element: HTMLElement, { zone, time, day }: TimeFormat): PlotStyle {
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
    clockTimes: (_plot, seconds) => seconds.map((second) => time(second * 1_000)),
    days: (_plot, seconds) => seconds.map((second) => day(second * 1_000)),
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), zone),
  };
}

/** Function for uPlot that returns the range of an axis: from 0 to the highest value times `factor`, at least `minTop`. */
export const fromZero =
  (factor: number, minTop: number) =>
  (_plot: UPlot, _min: number, max: number): UPlot.Range.MinMax => [0, Math.max(minTop, max * factor)];
