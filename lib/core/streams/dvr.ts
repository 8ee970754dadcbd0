import { HOUR_SECONDS } from '@/lib/core/units';

/** Maximum DVR window in seconds. A playlist of four hours has 7,200 segments of two seconds. */
export const MAX_DVR_SECONDS = 4 * HOUR_SECONDS;

/**
 * The DVR window of a stream in seconds; 0 without DVR. `dvrSeconds` is the setting of the owner; without it, recorded
 * streams have the maximum window.
 */
export function dvrSecondsOf({
  record,
  dvrSeconds,
}: {
  readonly record: boolean;
  readonly dvrSeconds?: number | null | undefined;
}): number {
  return dvrSeconds ?? (record ? MAX_DVR_SECONDS : 0);
}
