import { decode, encode } from 'next-auth/jwt';
import type { DatedSession, SessionClaim } from '@/lib/domain/accounts';
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from '@/lib/core/accounts/sign-in-session-limits';
import type { Services } from '@/lib/http/services';
import { newId } from '@/lib/infra/ids';

/** The value of one cookie in a Cookie header; null if missing. */
export function readCookie(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const equalsIndex = pair.indexOf('=');
    if (equalsIndex > 0 && pair.slice(0, equalsIndex).trim() === name)
      return pair.slice(equalsIndex + 1).trim();
  }
  return null;
}

/** What names and secures the cookies: BASE_URL and APP_SECRET. */
type Keys = Pick<Services, 'settings' | 'secrets'>;

/** Whether cookies have the prefix `__Secure-`, which browsers accept only over https. */
export const usesSecureCookies = ({ settings }: Keys): boolean => settings.baseUrl.startsWith('https://');

export const sessionCookieName = (keys: Keys): string =>
  `${usesSecureCookies(keys) ? '__Secure-' : ''}next-auth.session-token`;

export const sessionSecret = ({ secrets }: Keys): string =>
  secrets.derive('browser-sessions').toString('hex');

interface CookieClaim extends SessionClaim {
  /** Whether the session was opened at the issuer of OIDC_ISSUER. */
  readonly byIssuer: boolean;
}

/** Claims of a session cookie; null without one, and for a forged, invalid or expired one. */
export async function readSessionClaim(
  keys: Keys,
  cookieHeader: string | null,
  now: Date,
): Promise<CookieClaim | null> {
  const token = cookieHeader && readCookie(cookieHeader, sessionCookieName(keys));
  // Browsers limit a cookie to 4,096 bytes.
  if (!token || token.length > 4_096) return null;
  return readClaims(await decode({ token, secret: sessionSecret(keys) }).catch(() => null), now);
}

/**
 * The Set-Cookie header that keeps the session of this browser while all others end: its `sessionVersion` is incremented, as
 * the caller did for the account. If another request incremented it at the same time, this session ends too.
 */
export async function createSurvivingCookie(
  keys: Keys,
  cookieHeader: string | null,
  now: Date,
): Promise<{ readonly cookie: string; readonly session: DatedSession } | null> {
  const name = sessionCookieName(keys);
  const secret = sessionSecret(keys);
  const previousToken = cookieHeader && readCookie(cookieHeader, name);
  const claims = previousToken ? await decode({ token: previousToken, secret }).catch(() => null) : null;
  const sessionClaims = readClaims(claims, now);
  if (!sessionClaims) return null;
  const session = { ...sessionClaims, sessionVersion: sessionClaims.sessionVersion + 1 };
  const token = { ...claims, sessionVersion: session.sessionVersion };
  const value = await encode({ token, secret, maxAge: SESSION_IDLE_SECONDS });
  const secure = usesSecureCookies(keys) ? '; Secure' : '';
  const cookie = `${name}=${value}; Path=/; Max-Age=${SESSION_IDLE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
  return { cookie, session };
}

/** The claims of a new session, which `readClaims` accepts until it expires. */
export const createClaims = (userId: string, sessionVersion: number, now: Date, byIssuer = false) => ({
  sub: userId,
  sessionId: newId(),
  sessionVersion,
  signedInAt: now.getTime(),
  ...(byIssuer ? { byIssuer } : {}),
});

/**
 * Reads the claims of a token with a valid signature; null for an expired session, and for one without an id, which could
 * not be logged out.
 */
export function readClaims(
  claims: Readonly<Record<string, unknown>> | null,
  now: Date,
): (CookieClaim & DatedSession) | null {
  if (!claims) return null;
  const { sub: userId, sessionId, sessionVersion } = claims;
  if (typeof userId !== 'string' || typeof sessionId !== 'string') return null;
  if (typeof sessionVersion !== 'number') return null;
  const signedInAt = new Date(Number(claims['signedInAt']));
  const endsAt = new Date(signedInAt.getTime() + SESSION_SECONDS * 1000);
  const byIssuer = claims['byIssuer'] === true;
  return endsAt > now ? { userId, sessionId, sessionVersion, byIssuer, signedInAt, endsAt } : null;
}
