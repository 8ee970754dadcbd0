import { DAY_SECONDS } from '@/lib/core/units';

/**
 * Minimum of the setting after which an encoder without media counts as lost. A shorter gap may come from a slow
 * network.
 */
export const MIN_FALLBACK_MS = 500;
export const MAX_FALLBACK_MS = 60_000;
/** Maximum time for which the slate is shown. It is longer than any break, but a forgotten session must end. */
export const MAX_SLATE_SECONDS = DAY_SECONDS;
