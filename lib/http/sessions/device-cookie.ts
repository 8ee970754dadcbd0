import { daySeconds } from '@/lib/core/units';
import { findKnownDevice, rememberDevice, type KnownDevice } from '@/lib/domain/accounts';
import type { Context } from '@/lib/domain/context';
import { cookieValue, usesSecureCookies } from './session-cookie';

/** Longest cookie lifetime that browsers accept. */
const days = 400;
/** Maximum number of accounts for which one browser is a known device. */
const maxAccounts = 4;
const separator = '~';

const nameOf = (ctx: Context): string => `${usesSecureCookies(ctx) ? '__Secure-' : ''}headwater.devices`;

/** Tokens of the accounts that have signed in with this browser. */
function tokensOf(ctx: Context, cookieHeader: string | null): string[] {
  const value = cookieHeader && cookieValue(cookieHeader, nameOf(ctx));
  return value ? value.split(separator, maxAccounts) : [];
}

/** The known device of the account with this address; null if the browser is not one. */
export function deviceOfCookie(
  ctx: Context,
  cookieHeader: string | null,
  email: string,
): Promise<KnownDevice | null> {
  return findKnownDevice(ctx, { email, tokens: tokensOf(ctx, cookieHeader) });
}

/** The Set-Cookie header that makes this browser a known device of an account, in addition to its other accounts. */
export async function deviceCookie(
  ctx: Context,
  cookieHeader: string | null,
  device: Parameters<typeof rememberDevice>[1],
): Promise<string> {
  const token = await rememberDevice(ctx, device);
  const otherDevices = tokensOf(ctx, cookieHeader).filter((each) => !each.startsWith(`${device.userId}.`));
  const value = [token, ...otherDevices].slice(0, maxAccounts).join(separator);
  const secure = usesSecureCookies(ctx) ? '; Secure' : '';
  return `${nameOf(ctx)}=${value}; Path=/api; Max-Age=${days * daySeconds}; HttpOnly; SameSite=Lax${secure}`;
}
