import { hourSeconds } from '@/lib/core/units';

/** A playlist of four hours has 7,200 segments of two seconds. */
export const maxDvrSeconds = 4 * hourSeconds;

/** How far viewers can go back in a live stream, in seconds; 0: not at all. `dvrSeconds` as its owner set it, if so. */
export function dvrSecondsOf({
  record,
  dvrSeconds,
}: {
  readonly record: boolean;
  readonly dvrSeconds?: number | null | undefined;
}): number {
  return dvrSeconds ?? (record ? maxDvrSeconds : 0);
}
