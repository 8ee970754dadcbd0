/**
 * Times as counts per fixed range. Counts of several nodes and minutes add up and still give percentiles. The bounds are
 * upper bounds in milliseconds; a last count has the times above all bounds.
 */
export const startupBounds = [
  250, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 20_000, 30_000, 60_000, 120_000,
] as const;
export const latencyBounds = [
  500, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 20_000, 30_000, 60_000, 120_000,
] as const;

/** The index of the range that contains a time, from 0. */
function rangeOf(bounds: readonly number[], ms: number): number {
  const bucketIndex = bounds.findIndex((bucketLimit) => ms <= bucketLimit);
  return bucketIndex < 0 ? bounds.length : bucketIndex;
}

/** Adds one time to a histogram. Trailing empty ranges are omitted. */
export function withTime(counts: readonly number[], bounds: readonly number[], ms: number): number[] {
  const at = rangeOf(bounds, ms);
  return Array.from({ length: Math.max(counts.length, at + 1) }, (_, range) =>
    range === at ? (counts[range] ?? 0) + 1 : (counts[range] ?? 0),
  );
}

/**
 * A percentile in milliseconds; null for an empty histogram.
 * @param share from 0 to 1
 */
export function timeWithin(
  counts: readonly number[],
  bounds: readonly number[],
  share: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let remainingShare = share * total;
  for (const [range, count] of counts.entries()) {
    const [from, to] = [bounds[range - 1] ?? 0, bounds[range] ?? bounds.at(-1) ?? 0];
    if (count > 0 && remainingShare <= count)
      return Math.round(from + ((to - from) * remainingShare) / count);
    remainingShare -= count;
  }
  return bounds.at(-1) ?? 0;
}
