import { createHmac } from 'node:crypto';
import { daySeconds } from '@/lib/core/units';
import type { IceServer } from '@/lib/infra/rtc-settings';

/** Longer than most broadcasts, because a TURN server rejects the refresh of an allocation after the credentials have expired. */
const VALID_SECONDS = daySeconds;

/**
 * Adds time-limited credentials to TURN servers without fixed ones: the user name is the expiry time, and the password its
 * HMAC-SHA1 with a secret that the TURN server knows (draft-uberti-behave-turn-rest, in coturn `use-auth-secret`).
 * @param now Unix milliseconds
 */
export function withTurnLogins(
  servers: readonly IceServer[],
  turnSecret: string | null,
  now: number,
): IceServer[] {
  if (turnSecret === null) return [...servers];
  const username = String(Math.floor(now / 1_000) + VALID_SECONDS);
  const credential = createHmac('sha1', turnSecret).update(username).digest('base64');
  return servers.map((server) =>
    server.url.startsWith('turn') && server.login === null
      ? { ...server, login: { username, credential } }
      : server,
  );
}
