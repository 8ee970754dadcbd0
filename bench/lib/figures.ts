/**
 * Nearest-rank percentile of unsorted values.
 * @param share from 0 to 1
 */
export function percentile(values: readonly number[], share: number): number {
  const sortedValues = [...values].sort((a, b) => a - b);
  return sortedValues[Math.max(0, Math.ceil(sortedValues.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export const digits = (value: number, count: number): string => value.toFixed(count);

/** The quotient of both values, such as `1.37 ×`. */
export const ratio = (value: number, reference: number): string =>
  reference > 0 ? `${(value / reference).toFixed(2)} ×` : 'n/a';

export type Row = readonly (string | number)[];

export function markdownTable(header: readonly string[], rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
