import { YEAR_SECONDS } from '@/lib/core/units';
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { readUrl } from '@/lib/core/read-url';

/** Public URLs that pages may load from. */
export interface PageUrls {
  readonly baseUrl: string;
  readonly cdnUrl: string;
  readonly uploadUrl: string;
}

/** Browser features that only the go-live page may use. */
const captureFeatures = ['camera', 'microphone', 'display-capture'];
const otherFeatures = ['geolocation', 'payment', 'usb', 'serial', 'midi'];

/** Request headers with the nonce. Next reads it from the policy, the layout from `x-nonce`. */
const policyHeader = 'content-security-policy';
const nonceHeader = 'x-nonce';

/**
 * Wraps Next. Adds security headers to every response and a new nonce to every page, so that only scripts of this server
 * run. Next's own proxy feature is not used because it truncates request bodies at 10 MB.
 */
export function withSecurityHeaders(next: RequestListener, urls: PageUrls): RequestListener {
  const commonHeaders = createCommonHeaders(urls.baseUrl);
  const policyOf = createPagePolicy(urls);
  return (request, response) => {
    // Never trust a nonce sent by the client.
    delete request.headers['content-security-policy'];
    delete request.headers['x-nonce'];
    const path = pathOf(request.url ?? '/');
    for (const [name, value] of commonHeaders) response.setHeader(name, value);
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
  const absoluteUrl = `http://here.invalid${url}`;
  return readUrl(absoluteUrl)?.pathname ?? '/';
}

/** Whether a path is the embedded player, the only page that other sites may frame. */
const isEmbed = (path: string): boolean => /^\/embed\/[^/]+\/?$/.test(path);

const capturesMedia = (path: string): boolean => /^\/streams\/[^/]+\/go-live\/?$/.test(path);

function permissionsPolicy(captures: boolean): string {
  const captured = captureFeatures.map((feature) => `${feature}=${captures ? '(self)' : '()'}`);
  return [...captured, ...otherFeatures.map((feature) => `${feature}=()`)].join(', ');
}

function createCommonHeaders(baseUrl: string): readonly (readonly [string, string])[] {
  return [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    // Sent only by services with https, because browsers would then reject a service without TLS.
    ...(baseUrl.startsWith('https://')
      ? [['strict-transport-security', `max-age=${YEAR_SECONDS}`] as const]
      : []),
  ];
}

/**
 * Creates the Content-Security-Policy of pages.
 * @returns a function for the policy of one page; `framable`: other sites may frame it
 */
export function createPagePolicy({
  cdnUrl,
  uploadUrl,
}: PageUrls): (nonce: string, framable: boolean) => string {
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
