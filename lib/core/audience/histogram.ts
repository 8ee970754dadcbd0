/**
 * Histograms count times in fixed ranges, so that the counts of several nodes and minutes can be added and still give
 * percentiles. The bounds are the upper bounds of the ranges, in milliseconds; one more range has the times above them.
 */
export const startupBounds = [
  250, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 20_000, 30_000, 60_000, 120_000,
] as const;
export const latencyBounds = [
  500, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 20_000, 30_000, 60_000, 120_000,
] as const;

/** The index of the range that contains a time, from 0. */
function rangeIndexOf(bounds: readonly number[], ms: number): number {
  const rangeIndex = bounds.findIndex((upperBoundMs) => ms <= upperBoundMs);
  return rangeIndex < 0 ? bounds.length : rangeIndex;
}

/** A histogram with one more time. Empty ranges at its end are omitted. */
export function addToHistogram(counts: readonly number[], bounds: readonly number[], ms: number): number[] {
  const rangeIndex = rangeIndexOf(bounds, ms);
  return Array.from({ length: Math.max(counts.length, rangeIndex + 1) }, (_, range) =>
    range === rangeIndex ? (counts[range] ?? 0) + 1 : (counts[range] ?? 0),
  );
}

/**
 * A percentile of the times in milliseconds, interpolated within its range; null for an empty histogram. Times above the last
 * bound count as the last bound.
 * @param fraction the percentile as a fraction from 0 to 1
 */
export function percentileOf(
  counts: readonly number[],
  bounds: readonly number[],
  fraction: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let remainingCount = fraction * total;
  for (const [range, count] of counts.entries()) {
    const [lowerBoundMs, upperBoundMs] = [bounds[range - 1] ?? 0, bounds[range] ?? bounds.at(-1) ?? 0];
    if (count > 0 && remainingCount <= count)
      return Math.round(lowerBoundMs + ((upperBoundMs - lowerBoundMs) * remainingCount) / count);
    remainingCount -= count;
  }
  return bounds.at(-1) ?? 0;
}
