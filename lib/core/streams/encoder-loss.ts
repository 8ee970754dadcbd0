import { daySeconds } from '@/lib/core/units';

/** Minimum time without media after which an encoder counts as lost; a shorter gap may be a slow network. */
export const minFallbackMs = 500;
export const maxFallbackMs = 60_000;
/** Maximum time on the slate, longer than any break: a forgotten broadcast must end. */
export const maxSlateSeconds = daySeconds;
