import { type PushDestination, referredDestination } from '@/lib/core/targets/target-url';
import type { Relay } from './relay';

/** How often a publish is referred to another server before it has failed. */
export const MAX_REFERRALS = 3;

/** Where the server behind a connection refers the publish to; null: nowhere, or where it must not go. */
export function referralOf(
  destination: PushDestination,
  relay: Pick<Relay, 'answers'> | null,
): PushDestination | null {
  const redirect = relay?.answers.redirect;
  return destination.kind === 'rtmp' && redirect ? referredDestination(destination, redirect) : null;
}
