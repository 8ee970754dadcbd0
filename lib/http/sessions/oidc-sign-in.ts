import type { OAuthConfig } from 'next-auth/providers/oauth';
import { z } from 'zod';
import { signInWithOidc } from '@/lib/domain/accounts';
import { ownPath, pathAfterLogIn } from '@/lib/core/access/own-path';
import type { OidcRejection } from '@/lib/core/accounts/oidc-admission';
import { readUrl } from '@/lib/core/read-url';
import type { Exchange } from '@/lib/http/exchange';
import type { Services } from '@/lib/http/services';
import { networkOfIp } from '@/lib/infra/egress/ip-address';
import type { OidcSettings } from '@/lib/infra/settings/oidc-settings';
import { createAnonymousContext, type SignInAttempt } from './authorize-sign-in';
import { createDeviceCookie } from './device-cookie';
import { readCookie } from './session-cookie';

const providerId = 'oidc';
/** Timeout of each request to the issuer. */
const ISSUER_TIMEOUT_MS = 5_000;

const claimsSchema = z.object({
  iss: z.string().max(2_000),
  sub: z.string().min(1).max(255),
  email: z.string().max(254).toLowerCase().pipe(z.email()).nullish().catch(null),
  email_verified: z.unknown(),
});

/**
 * The configured issuer as a next-auth provider: discovery, code flow with PKCE, state and nonce. The operator sets the
 * issuer, so egress rules don't apply, as for the mail server.
 */
export function createOidcProvider({
  issuer,
  clientId,
  clientSecret,
  name,
}: OidcSettings): OAuthConfig<object> {
  return {
    id: providerId,
    name,
    type: 'oauth',
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    issuer,
    clientId,
    clientSecret,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: { params: { scope: 'openid email' } },
    httpOptions: { timeout: ISSUER_TIMEOUT_MS },
    userinfo: {
      // Many issuers send the email address only in the userinfo response; the client compares the subjects.
      request: async ({ client, tokens }) => {
        if (!tokens.id_token || !tokens.access_token) throw new Error('the issuer sent no tokens');
        const idTokenClaims = z.record(z.string(), z.unknown()).parse(decodeClaims(tokens.id_token));
        if (idTokenClaims['email'] !== undefined || !client.issuer.metadata.userinfo_endpoint)
          return idTokenClaims;
        const { email, email_verified, sub } = await client.userinfo(tokens.access_token);
        if (sub !== idTokenClaims['sub']) throw new Error("the issuer's userinfo has another subject");
        return { ...idTokenClaims, email, email_verified };
      },
    },
    profile: (claims) => ({ id: claimsSchema.parse(claims).sub }),
  };
}

/** Claims of a token. next-auth has verified its signature. */
function decodeClaims(idToken: string): unknown {
  return JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
}

/** The URL of the page to which the browser returns from the issuer. next-auth stores it in a cookie. */
function readReturnUrl({ settings }: Pick<Services, 'settings'>, headers: Headers): URL {
  const secure = settings.baseUrl.startsWith('https://') ? '__Secure-' : '';
  const callbackUrl = readCookie(headers.get('cookie') ?? '', `${secure}next-auth.callback-url`);
  const path = callbackUrl ? ownPath(decodeOrEmpty(callbackUrl), settings.baseUrl) : null;
  return new URL(path ?? '/', settings.baseUrl);
}

function decodeOrEmpty(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/**
 * Adds the requested page to the URL of the sign-in page (/login) after a rejected sign-in.
 * @param location URL of a redirect
 * @returns the changed URL; any other URL unchanged
 */
export function keepRequestedPage(
  services: Pick<Services, 'settings'>,
  headers: Headers,
  location: string,
): string {
  const { baseUrl } = services.settings;
  const redirectUrl = readUrl(location, baseUrl);
  if (redirectUrl?.origin !== new URL(baseUrl).origin || redirectUrl.pathname !== '/login') return location;
  const { pathname, search, hash } = readReturnUrl(services, headers);
  const requestedPath = pathAfterLogIn(`${pathname}${search}${hash}`);
  if (redirectUrl.searchParams.has('error') && !redirectUrl.searchParams.has('next') && requestedPath !== '/')
    redirectUrl.searchParams.set('next', requestedPath);
  return redirectUrl.href;
}

/**
 * Admits or rejects a sign-in at the issuer, by the settings of the operator.
 * @param profile claims that next-auth has verified
 */
export async function authorizeOidc(
  services: Services,
  headers: Headers,
  profile: unknown,
): Promise<SignInAttempt | { readonly rejected: OidcRejection | 'failed' }> {
  const ctx = createAnonymousContext(services, headers);
  const { iss, sub, email = null, email_verified } = claimsSchema.parse(profile);
  const issuer = iss.replace(/\/+$/, '');
  if (issuer !== services.settings.oidc?.issuer) {
    services.log.warn('sign-in error: the issuer of the token is not OIDC_ISSUER');
    return { rejected: 'failed' };
  }
  try {
    const account = await signInWithOidc(ctx, {
      issuer,
      subject: sub,
      email,
      emailVerified: email_verified === true,
      invitation: invitationTokenOf(readReturnUrl(services, headers)),
    });
    if ('rejected' in account) return account;
    return {
      account,
      cookies: [await createDeviceCookie(ctx, headers.get('cookie'), { userId: account.id })],
    };
  } catch (error) {
    services.log.error({ err: error }, 'sign-in failed');
    return { rejected: 'failed' };
  }
}

/** The token in the URL of the sign-up page, for an invitation that names no email address. */
const invitationTokenOf = ({ pathname, searchParams }: URL): string | undefined =>
  pathname === '/signup' ? (searchParams.get('invitation') ?? undefined) : undefined;

/**
 * Limits the requests of one network that make the service call the issuer.
 * @returns a redirect to the sign-in page with the error `busy` if the limit is exceeded; null if the request may continue
 */
export async function limitOidcRequests({
  services,
  request,
  ip,
  headers,
}: Exchange): Promise<Response | null> {
  if (!services.settings.oidc || !/\/(?:signin|callback)\/oidc\/?$/.test(new URL(request.url).pathname))
    return null;
  const { exceeded } = await services.limiters.consume('oidcPerIp', networkOfIp(ip));
  if (!exceeded) return null;
  const url = keepRequestedPage(services, request.headers, `${services.settings.baseUrl}/login?error=busy`);
  // The script of the sign-in page reads the URL; browsers that come from the issuer are redirected.
  if (request.method === 'POST') return Response.json({ url }, { headers });
  headers.set('location', url);
  return new Response(null, { status: 302, headers });
}
