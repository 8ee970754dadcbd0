import { readUrl } from '../read-url';

/** A WHIP endpoint (RFC 9725). */
export interface WhipDestination {
  readonly kind: 'whip';
  readonly tls: boolean;
  readonly host: string;
  readonly port: number;
  /** URL without the token. Its path and its query may be secret. */
  readonly url: string;
  /** Bearer token; null if the URL alone is the secret. */
  readonly token: string | null;
}

const tokenFormat = /^[\w.~+/-]{1,1000}=*$/;

/** Whether an HTTP URL is likely to be a WHIP endpoint, and not a page that was pasted by mistake. */
const looksLikeWhip = ({ hostname, pathname }: URL): boolean => /whip|webrtc/i.test(hostname + pathname);

export const isWhipUrl = (text: string): boolean => /^https?:\/\//.test(text);

/**
 * Parses the URL of a WHIP endpoint. The token is in its fragment, which is never sent.
 * @returns the destination, or the requirement that the URL violates
 */
export function parseWhipUrl(text: string): WhipDestination | string {
  const url = readUrl(text);
  if (!url) return 'must name a host, and a port from 1 to 65535 if any';
  if (!looksLikeWhip(url)) return 'must have "whip" or "webrtc" in its address if it is http:// or https://';
  const token = url.hash.slice(1);
  if (token !== '' && !tokenFormat.test(token)) return 'must have a valid bearer token after #';
  const tls = url.protocol === 'https:';
  url.hash = '';
  return {
    kind: 'whip',
    tls,
    host: url.hostname,
    url: url.href,
    port: Number(url.port) || (tls ? 443 : 80),
    token: token === '' ? null : token,
  };
}

/** The secrets of a destination, which are removed from messages. */
export function whipSecrets({ url, token }: WhipDestination): string[] {
  const { pathname, search } = new URL(url);
  return [`${pathname}${search}`, pathname.split('/').findLast(Boolean) ?? '', token ?? ''].filter(
    // Shorter texts are not secret, and replacing them would make messages unreadable.
    (secret) => secret.length > 3,
  );
}
