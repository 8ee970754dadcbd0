/**
 * Nearest-rank percentile of unsorted values; NaN without values.
 * @param fraction from 0 to 1, for example 0.95 for the 95th percentile
 */
export function percentile(values: readonly number[], fraction: number): number {
  const sortedValues = [...values].sort((a, b) => a - b);
  return sortedValues[Math.max(0, Math.ceil(sortedValues.length * fraction) - 1)] ?? Number.NaN;
}

/** Median of unsorted values: the lower one of two middle values. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Formats a number with this many decimal places. */
export const formatNumber = (value: number, fractionDigits: number): string => value.toFixed(fractionDigits);

/** Formats the quotient of two values, for example `1.37 ×`. Returns `n/a` if the reference is not positive. */
export const formatRatio = (value: number, reference: number): string =>
  reference > 0 ? `${(value / reference).toFixed(2)} ×` : 'n/a';

/** A row of a Markdown table. */
export type Row = readonly (string | number)[];

/** Formats a Markdown table. Cells are not escaped. */
export function markdownTable(header: readonly string[], rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
