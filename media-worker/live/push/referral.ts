import { type MuxedDestination, referredDestination } from '@/lib/core/targets/target-url';
import type { Relay } from './relay';

/** Most redirects of one publish. */
export const MAX_REFERRALS = 3;

/** Where the server redirects the publish to; null: nowhere, or to an address that is not allowed. */
export function referralOf(
  destination: MuxedDestination,
  relay: Pick<Relay, 'answers'> | null,
): MuxedDestination | null {
  const redirect = relay?.answers.redirect;
  return destination.kind === 'rtmp' && redirect ? referredDestination(destination, redirect) : null;
}
