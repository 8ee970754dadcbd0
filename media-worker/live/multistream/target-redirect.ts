import { type MuxedDestination, redirectDestination } from '@/lib/core/targets/target-url';
import type { Relay } from './relay';

/** Maximum number of redirects per publish. */
export const MAX_REDIRECTS = 3;

/** The destination to which the server redirects the publish; null if there is none, or if it is not allowed. */
export function findRedirect(
  destination: MuxedDestination,
  relay: Pick<Relay, 'answers'> | null,
): MuxedDestination | null {
  const redirect = relay?.answers.redirect;
  return destination.kind === 'rtmp' && redirect ? redirectDestination(destination, redirect) : null;
}
