import { DAY_SECONDS } from '@/lib/core/units';
import { findKnownDevice, rememberDevice, type KnownDevice } from '@/lib/domain/accounts';
import type { Context } from '@/lib/domain/context';
import { readCookie, usesSecureCookies } from './session-cookie';

/** Longest lifetime that browsers accept for a cookie. */
const COOKIE_DAYS = 400;
/** Maximum number of accounts for which one browser is a known device. */
const MAX_ACCOUNTS = 4;
const separator = '~';

const cookieName = (ctx: Context): string => `${usesSecureCookies(ctx) ? '__Secure-' : ''}headwater.devices`;

/** Tokens of the accounts that have signed in with this browser. */
function readTokens(ctx: Context, cookieHeader: string | null): string[] {
  const value = cookieHeader && readCookie(cookieHeader, cookieName(ctx));
  return value ? value.split(separator, MAX_ACCOUNTS) : [];
}

/** The known device of the account with this email address; null if the browser is not a known device of it. */
export function findDeviceOfCookie(
  ctx: Context,
  cookieHeader: string | null,
  email: string,
): Promise<KnownDevice | null> {
  return findKnownDevice(ctx, { email, tokens: readTokens(ctx, cookieHeader) });
}

/**
 * Stores this browser as a known device of an account, and returns its Set-Cookie header. The browser stays a known device
 * of up to three other accounts.
 */
export async function createDeviceCookie(
  ctx: Context,
  cookieHeader: string | null,
  device: Parameters<typeof rememberDevice>[1],
): Promise<string> {
  const token = await rememberDevice(ctx, device);
  const otherDevices = readTokens(ctx, cookieHeader).filter(
    (deviceToken) => !deviceToken.startsWith(`${device.userId}.`),
  );
  const value = [token, ...otherDevices].slice(0, MAX_ACCOUNTS).join(separator);
  const secure = usesSecureCookies(ctx) ? '; Secure' : '';
  return `${cookieName(ctx)}=${value}; Path=/api; Max-Age=${COOKIE_DAYS * DAY_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}
