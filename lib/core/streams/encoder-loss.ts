import { daySeconds } from '@/lib/core/units';

/** An encoder that sends nothing for less than this may only be slow. */
export const minFallbackMs = 500;
export const maxFallbackMs = 60_000;
/** Longer than any break; platforms end broadcasts that were forgotten too. */
export const maxSlateSeconds = daySeconds;
