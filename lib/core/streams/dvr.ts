import { hourSeconds } from '@/lib/core/units';

/** A playlist of four hours has 7,200 segments of two seconds. */
export const maxDvrSeconds = 4 * hourSeconds;

/** DVR window of a stream in seconds; 0: none. `dvrSeconds`: set by the owner, if at all. */
export function dvrSecondsOf({
  record,
  dvrSeconds,
}: {
  readonly record: boolean;
  readonly dvrSeconds?: number | null | undefined;
}): number {
  return dvrSeconds ?? (record ? maxDvrSeconds : 0);
}
