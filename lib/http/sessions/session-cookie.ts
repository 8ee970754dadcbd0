import { decode, encode } from 'next-auth/jwt';
import type { DatedSession, SessionClaim } from '@/lib/domain/accounts';
import { sessionIdleSeconds, sessionSeconds } from '@/lib/core/accounts/session-terms';
import type { Services } from '@/lib/http/services';
import { newId } from '@/lib/infra/ids';

/** One cookie of a Cookie header; null when it is not there. */
export function cookieValue(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}

type Keys = Pick<Services, 'settings' | 'secrets'>;

/** Browsers keep `__Secure-` cookies on https only. */
export const usesSecureCookies = ({ settings }: Keys): boolean => settings.baseUrl.startsWith('https://');

export const sessionCookieName = (keys: Keys): string =>
  `${usesSecureCookies(keys) ? '__Secure-' : ''}next-auth.session-token`;

export const sessionSecret = ({ secrets }: Keys): string =>
  secrets.derive('browser-sessions').toString('hex');

interface CookieClaim extends SessionClaim {
  /** Opened at the issuer of OIDC_ISSUER. */
  readonly byIssuer: boolean;
}

/** Claims of a session cookie; null without one, and for a forged, broken or old one. */
export async function claimOfCookie(
  keys: Keys,
  cookieHeader: string | null,
  now: Date,
): Promise<CookieClaim | null> {
  const token = cookieHeader && cookieValue(cookieHeader, sessionCookieName(keys));
  if (!token || token.length > 4_096) return null;
  return readClaims(await decode({ token, secret: sessionSecret(keys) }).catch(() => null), now);
}

/**
 * The session of this browser that outlives the end of all others, with its Set-Cookie line: its own `sessionVersion` is
 * raised by the one that the caller raised. If another request ended the sessions too, this one ends with them.
 */
export async function survivingCookie(
  keys: Keys,
  cookieHeader: string | null,
  now: Date,
): Promise<{ readonly cookie: string; readonly session: DatedSession } | null> {
  const name = sessionCookieName(keys);
  const secret = sessionSecret(keys);
  const old = cookieHeader && cookieValue(cookieHeader, name);
  const claims = old ? await decode({ token: old, secret }).catch(() => null) : null;
  const sessionClaims = readClaims(claims, now);
  if (!sessionClaims) return null;
  const session = { ...sessionClaims, sessionVersion: sessionClaims.sessionVersion + 1 };
  const token = { ...claims, sessionVersion: session.sessionVersion };
  const value = await encode({ token, secret, maxAge: sessionIdleSeconds });
  const secure = usesSecureCookies(keys) ? '; Secure' : '';
  const cookie = `${name}=${value}; Path=/; Max-Age=${sessionIdleSeconds}; HttpOnly; SameSite=Lax${secure}`;
  return { cookie, session };
}

/** The claims of a new session: what `readClaims` reads as long as it lasts. */
export const newClaims = (userId: string, sessionVersion: number, now: Date, byIssuer = false) => ({
  sub: userId,
  sessionId: newId(),
  sessionVersion,
  signedInAt: now.getTime(),
  ...(byIssuer ? { byIssuer } : {}),
});

/** What a token whose signature is right claims; null for one that is too old, or that could not be logged out. */
export function readClaims(
  claims: Readonly<Record<string, unknown>> | null,
  now: Date,
): (CookieClaim & DatedSession) | null {
  if (!claims) return null;
  const { sub: userId, sessionId, sessionVersion } = claims;
  if (typeof userId !== 'string' || typeof sessionId !== 'string') return null;
  if (typeof sessionVersion !== 'number') return null;
  const signedInAt = new Date(Number(claims['signedInAt']));
  const endsAt = new Date(signedInAt.getTime() + sessionSeconds * 1000);
  const byIssuer = claims['byIssuer'] === true;
  return endsAt > now ? { userId, sessionId, sessionVersion, byIssuer, signedInAt, endsAt } : null;
}
