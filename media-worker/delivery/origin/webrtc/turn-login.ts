import { createHmac } from 'node:crypto';
import { DAY_SECONDS } from '@/lib/core/units';
import type { IceServer } from '@/lib/infra/settings/rtc-settings';

/**
 * Lifetime of the credentials: longer than most streams, because a TURN server rejects the refresh of an allocation
 * after the credentials have expired.
 */
const VALID_SECONDS = DAY_SECONDS;

/**
 * Adds time-limited credentials to TURN servers without fixed ones: the user name is the expiry time, and the password its
 * HMAC-SHA1 with a secret that the TURN server knows (draft-uberti-behave-turn-rest, in coturn `use-auth-secret`).
 * @param now Unix milliseconds
 */
export function withTurnLogins(
  servers: readonly IceServer[],
  turnSecret: string | undefined,
  now: number,
): IceServer[] {
  if (turnSecret === undefined) return [...servers];
  const username = String(Math.floor(now / 1_000) + VALID_SECONDS);
  const credential = createHmac('sha1', turnSecret).update(username).digest('base64');
  return servers.map((server) =>
    server.url.startsWith('turn') && server.login === null
      ? { ...server, login: { username, credential } }
      : server,
  );
}
