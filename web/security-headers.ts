import { yearSeconds } from '@/lib/core/units';
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { readUrl } from '@/lib/core/read-url';

/** Public URLs that pages may load from. */
export interface PageAddresses {
  readonly baseUrl: string;
  readonly cdnUrl: string;
  readonly uploadUrl: string;
}

/** Permissions of the go-live page. */
const captureFeatures = ['camera', 'microphone', 'display-capture'];
const otherFeatures = ['geolocation', 'payment', 'usb', 'serial', 'midi'];

/** Request headers: Next reads the nonce for its scripts from the policy, the layout from `x-nonce`. */
const policyHeader = 'content-security-policy';
const nonceHeader = 'x-nonce';

/**
 * Wraps Next. Adds security headers to every response and a new nonce to every page, so that only scripts of this server
 * run. Next's own proxy feature is not used because it truncates request bodies at 10 MB.
 */
export function withSecurityHeaders(next: RequestListener, addresses: PageAddresses): RequestListener {
  const plain = plainHeaders(addresses.baseUrl);
  const policyOf = pagePolicy(addresses);
  return (request, response) => {
    // Never trust a nonce sent by the client.
    delete request.headers['content-security-policy'];
    delete request.headers['x-nonce'];
    const path = pathOf(request.url ?? '/');
    for (const [name, value] of plain) response.setHeader(name, value);
    response.setHeader('permissions-policy', permissionsPolicy(capturesMedia(path)));
    if (path.startsWith('/api/')) {
      response.setHeader(policyHeader, "default-src 'none'; frame-ancestors 'none'");
    } else if (!path.startsWith('/_next/static/')) {
      const nonce = randomBytes(16).toString('base64');
      const framable = isEmbed(path);
      const policy = policyOf(nonce, framable);
      request.headers[policyHeader] = policy;
      request.headers[nonceHeader] = nonce;
      response.setHeader(policyHeader, policy);
      if (!framable) response.setHeader('x-frame-options', 'DENY');
    }
    next(request, response);
  };
}

/** The path as Next routes it, with dot segments and backslashes resolved. */
function pathOf(url: string): string {
  const address = `http://here.invalid${url}`;
  return readUrl(address)?.pathname ?? '/';
}

/** Whether a path is the embedded player: only it may be framed by other sites, against clickjacking. */
const isEmbed = (path: string): boolean => /^\/embed\/[^/]+\/?$/.test(path);

const capturesMedia = (path: string): boolean => /^\/streams\/[^/]+\/go-live\/?$/.test(path);

function permissionsPolicy(captures: boolean): string {
  const captured = captureFeatures.map((feature) => `${feature}=${captures ? '(self)' : '()'}`);
  return [...captured, ...otherFeatures.map((feature) => `${feature}=()`)].join(', ');
}

function plainHeaders(baseUrl: string): readonly (readonly [string, string])[] {
  return [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    // HTTPS only: with HTTP, browsers could not reach a server without TLS.
    ...(baseUrl.startsWith('https://')
      ? [['strict-transport-security', `max-age=${yearSeconds}`] as const]
      : []),
  ];
}

/** @returns the policy of one page */
export function pagePolicy({
  cdnUrl,
  uploadUrl,
}: PageAddresses): (nonce: string, framable: boolean) => string {
  const media = originOf(cdnUrl);
  const connections = [...new Set([media, originOf(uploadUrl)])].join(' ');
  return (nonce, framable) =>
    [
      "default-src 'self'",
      `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
      // Libraries position menus and charts with inline styles, which cannot run scripts.
      "style-src 'self' 'unsafe-inline'",
      `img-src 'self' data: blob: ${media}`,
      `media-src 'self' blob: ${media}`,
      `connect-src 'self' ${connections}`,
      "worker-src 'self' blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      `frame-ancestors ${framable ? '*' : "'none'"}`,
    ].join('; ');
}

const originOf = (url: string): string => new URL(url).origin;
