import { readUrl } from '../read-url';

/** A WHIP endpoint (RFC 9725). */
export interface WhipDestination {
  readonly kind: 'whip';
  readonly tls: boolean;
  readonly host: string;
  readonly port: number;
  /** Without the token. Path and query may be secret. */
  readonly url: string;
  /** Bearer token; null if the URL alone is the secret. */
  readonly token: string | null;
}

const tokenFormat = /^[\w.~+/-]{1,1000}=*$/;

/** Whether an HTTP URL is likely to be a WHIP endpoint: a page that was pasted by mistake is none. */
const namesWhip = ({ hostname, pathname }: URL): boolean => /whip|webrtc/i.test(hostname + pathname);

export const isWhipUrl = (text: string): boolean => /^https?:\/\//.test(text);

/** The token follows the URL after `#`, which is never sent. @returns the destination, or an error message */
export function whipDestination(text: string): WhipDestination | string {
  const url = readUrl(text);
  if (!url) return 'must name a host, and a port from 1 to 65535 if any';
  if (!namesWhip(url)) return 'must have "whip" or "webrtc" in its address if it is https://';
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

/** The secret parts of a destination, for redaction. */
export function whipSecrets({ url, token }: WhipDestination): string[] {
  const { pathname, search } = new URL(url);
  return [`${pathname}${search}`, pathname.split('/').findLast(Boolean) ?? '', token ?? ''].filter(
    (secret) => secret.length > 3,
  );
}
