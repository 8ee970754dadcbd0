/**
 * How long a publisher may send no media before a newcomer with the same key takes its place. A phone that changed
 * networks leaves a dead connection behind; a second encoder must not replace a working first one.
 */
export const TAKEOVER_SILENCE_MS = 3_000;

/** `admit`: no publisher. `replace`: end the silent one with `replaced`, then admit. `refuse`: it is active. */
export type TakeoverDecision = 'admit' | 'replace' | 'refuse';

/**
 * Decides between the current publisher and a second one with a valid stream key.
 * `silentForMs`: milliseconds since the present publisher's last media, or null when there is none.
 */
export function decideTakeover(silentForMs: number | null): TakeoverDecision {
  if (silentForMs === null) return 'admit';
  return silentForMs >= TAKEOVER_SILENCE_MS ? 'replace' : 'refuse';
}
