import { createAssertionOptions, findPendingSignIn, type PendingSignIn } from '@/lib/domain/accounts';
import type { Context } from '@/lib/domain/context';
import { contextOf, type Exchange } from '@/lib/http/exchange';
import { createErrorResponse } from '@/lib/http/error-response';
import { isUuid, newId } from '@/lib/infra/ids';
import { readCookie, usesSecureCookies } from './session-cookie';

/** Lifetime of the cookies of a sign-in that has not opened a session. Browsers send them only to `/api/auth`. */
const MAX_AGE_SECONDS = 600;

const cookieName = (ctx: Pick<Context, 'settings' | 'secrets'>, name: string): string =>
  `${usesSecureCookies(ctx) ? '__Secure-' : ''}headwater.${name}`;

function setCookieHeader(
  ctx: Pick<Context, 'settings' | 'secrets'>,
  name: string,
  value: string | null,
): string {
  const secure = usesSecureCookies(ctx) ? '; Secure' : '';
  const maxAgeSeconds = value === null ? 0 : MAX_AGE_SECONDS;
  return `${cookieName(ctx, name)}=${value ?? ''}; Path=/api/auth; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/**
 * The Set-Cookie header for a sign-in that waits for its second step.
 * @param token token of the pending sign-in; null deletes the cookie
 */
export const createSecondStepCookie = (ctx: Context, token: string | null): string =>
  setCookieHeader(ctx, 'second-step', token);

/** The sign-in of this browser that waits for its second step; null without one. */
export async function findPendingOfCookie(
  ctx: Context,
  cookieHeader: string | null,
): Promise<PendingSignIn | null> {
  const token = cookieHeader && readCookie(cookieHeader, cookieName(ctx, 'second-step'));
  return token ? findPendingSignIn(ctx, token) : null;
}

/** Id of a browser that requested WebAuthn options before; null for its first request. */
export function readBrowserId(ctx: Context, cookieHeader: string | null): string | null {
  const id = cookieHeader && readCookie(cookieHeader, cookieName(ctx, 'passkeys'));
  return id && isUuid(id) ? id : null;
}

/** `GET /api/auth/passkey-options`: the WebAuthn options for a passkey sign-in. `?second`: for the second step. */
export async function respondPasskeyOptions(exchange: Exchange): Promise<Response> {
  const { request, headers } = exchange;
  const ctx = contextOf(exchange);
  const cookieHeader = request.headers.get('cookie');
  try {
    const pendingSignIn = new URL(request.url).searchParams.has('second')
      ? await findPendingOfCookie(ctx, cookieHeader)
      : null;
    const browserId = readBrowserId(ctx, cookieHeader) ?? newId();
    const binding = pendingSignIn
      ? { boundTo: pendingSignIn.id, userId: pendingSignIn.userId }
      : { boundTo: browserId };
    const options = await createAssertionOptions(ctx, binding);
    headers.append('set-cookie', setCookieHeader(ctx, 'passkeys', browserId));
    return Response.json(options, { headers });
  } catch (error) {
    return createErrorResponse(exchange, error);
  }
}
