import { assertionOptions, findPendingSignIn, type PendingSignIn } from '@/lib/domain/accounts';
import type { Context } from '@/lib/domain/context';
import { contextOf, type Exchange } from '@/lib/http/exchange';
import { errorResponse } from '@/lib/http/error-response';
import { isUuid, newId } from '@/lib/infra/ids';
import { cookieValue, usesSecureCookies } from './session-cookie';

/** Cookies of a sign-in without a session yet. Browsers send them only to the paths of the sign-in. */
const seconds = 600;

const nameOf = (ctx: Pick<Context, 'settings' | 'secrets'>, name: string): string =>
  `${usesSecureCookies(ctx) ? '__Secure-' : ''}headwater.${name}`;

function lineOf(ctx: Pick<Context, 'settings' | 'secrets'>, name: string, value: string | null): string {
  const secure = usesSecureCookies(ctx) ? '; Secure' : '';
  const age = value === null ? 0 : seconds;
  return `${nameOf(ctx, name)}=${value ?? ''}; Path=/api/auth; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`;
}

/** The Set-Cookie header after the right password; null deletes the cookie. */
export const secondStepCookie = (ctx: Context, token: string | null): string =>
  lineOf(ctx, 'second-step', token);

/** The sign-in of this browser that waits for its second step; null without one. */
export async function pendingOfCookie(
  ctx: Context,
  cookieHeader: string | null,
): Promise<PendingSignIn | null> {
  const token = cookieHeader && cookieValue(cookieHeader, nameOf(ctx, 'second-step'));
  return token ? findPendingSignIn(ctx, token) : null;
}

/** Browser that requested challenges; null before its first request. */
export function browserOfCookie(ctx: Context, cookieHeader: string | null): string | null {
  const id = cookieHeader && cookieValue(cookieHeader, nameOf(ctx, 'passkeys'));
  return id && isUuid(id) ? id : null;
}

/** `GET /api/auth/passkey-options`: the WebAuthn options for a passkey sign-in. `?second`: for the second step. */
export async function answerPasskeyOptions(exchange: Exchange): Promise<Response> {
  const { request, headers } = exchange;
  const ctx = contextOf(exchange);
  const cookieHeader = request.headers.get('cookie');
  try {
    const pending = new URL(request.url).searchParams.has('second')
      ? await pendingOfCookie(ctx, cookieHeader)
      : null;
    const browser = browserOfCookie(ctx, cookieHeader) ?? newId();
    const use = pending ? { boundTo: pending.id, userId: pending.userId } : { boundTo: browser };
    const options = await assertionOptions(ctx, use);
    headers.append('set-cookie', lineOf(ctx, 'passkeys', browser));
    return Response.json(options, { headers });
  } catch (error) {
    return errorResponse(exchange, error);
  }
}
