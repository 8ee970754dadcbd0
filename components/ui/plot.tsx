'use client';

import 'uplot/dist/uPlot.min.css';
import { useTheme } from 'next-themes';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';

/** What the theme and the page give to a chart. */
export interface PlotLook {
  /** A custom property of the theme as a colour: `color('--accent')`. */
  readonly color: (name: string) => string;
  /** An axis without ticks and with quiet lines. */
  readonly axis: UPlot.Axis;
}

/** Everything that differs between charts; size, cursor and legend do not. */
export type PlotOptions = Omit<UPlot.Options, 'width' | 'height' | 'legend' | 'cursor'>;

interface PlotProps {
  /** Pixels; the width follows the page. */
  height: number;
  /** A constant: it is asked once, and again with another theme. */
  options: (look: PlotLook) => PlotOptions;
  data: UPlot.AlignedData;
  /** Milliseconds since 1970 at both ends; left out = what the data covers. */
  span?: { readonly from: number; readonly to: number };
  /** What it shows, for those who do not see it; the numbers are in a table beside it. */
  label: string;
}

/** A chart that keeps its room, follows theme, width and data. Its code is fetched when it is shown. */
export function Plot({ height, options, data, span, label }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(null);
  const { resolvedTheme } = useTheme();
  const [from, to] = span ? [span.from / 1_000, span.to / 1_000] : [null, null];

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    // A canvas keeps the colours it was painted with: another theme is another chart.
    const fixed = { width: element.clientWidth, height, legend: { show: false }, cursor: { show: false } };
    const plot = new UPlot({ ...options(lookOf(element)), ...fixed }, undefined, element);
    chart.current = plot;
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
      chart.current = null;
    };
  }, [height, options, resolvedTheme]);

  useEffect(() => {
    const plot = chart.current;
    plot?.batch(() => {
      plot.setData(data, from === null);
      if (from !== null) plot.setScale('x', { min: from, max: to });
    });
  }, [data, from, to, height, options, resolvedTheme]);

  return (
    <div ref={place} role="img" aria-label={label} style={{ height }} className="w-full overflow-hidden" />
  );
}

function lookOf(element: HTMLElement): PlotLook {
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
  };
}

/** Seconds since 1970 as "14:05", for an axis of one day. */
export const clockTimes = (_plot: UPlot, seconds: number[]): string[] =>
  seconds.map((at) =>
    new Date(at * 1_000).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false }),
  );

/** From 0 to the highest value plus this margin. */
export const fromZero =
  (times: number, least: number) =>
  (_plot: UPlot, _min: number, max: number): UPlot.Range.MinMax => [0, Math.max(least, max * times)];
