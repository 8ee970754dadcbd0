/**
 * Times as counts of fixed ranges: those of several nodes and minutes add up, and still say within which time a share of
 * viewers was. The bounds are upper ones in milliseconds; what is above the last one is counted behind it.
 */
export const startupBounds = [
  250, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 20_000, 30_000, 60_000, 120_000,
] as const;
export const latencyBounds = [
  500, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 20_000, 30_000, 60_000, 120_000,
] as const;

/** The range that a time is in, from 0. */
function rangeOf(bounds: readonly number[], ms: number): number {
  const bucketIndex = bounds.findIndex((bucketLimit) => ms <= bucketLimit);
  return bucketIndex < 0 ? bounds.length : bucketIndex;
}

/** Adds one time to a histogram. Trailing empty ranges are left out. */
export function withTime(counts: readonly number[], bounds: readonly number[], ms: number): number[] {
  const at = rangeOf(bounds, ms);
  return Array.from({ length: Math.max(counts.length, at + 1) }, (_, range) =>
    range === at ? (counts[range] ?? 0) + 1 : (counts[range] ?? 0),
  );
}

/**
 * Within which time a share of all was, in milliseconds; null of nothing.
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
