/** Values in any order; `share` from 0 to 1. The nearest measured value, never one between two. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const digits = (value: number, count: number): string => value.toFixed(count);

/** `1.37 ×`: how many times the second the first is. */
export const ratio = (ours: number, theirs: number): string =>
  theirs > 0 ? `${(ours / theirs).toFixed(2)} ×` : 'n/a';

export type Row = readonly (string | number)[];

export function markdownTable(header: readonly string[], rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
