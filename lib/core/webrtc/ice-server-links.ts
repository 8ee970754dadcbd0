/** A STUN or TURN server as `RTCPeerConnection` takes it. */
export interface LinkedIceServer {
  readonly urls: string;
  readonly username?: string;
  readonly credential?: string;
}

/** More would only slow a connection down. */
const maxServers = 8;
const maxLength = 16_384;

/** One link: its URL, and its parameters with quoted values. */
const linkFormat = /<((?:stun|turn)s?:[^>]*)>((?:\s*;\s*[\w-]+="(?:[^"\\]|\\.)*")*)/g;
const parameterFormat = /([\w-]+)="((?:[^"\\]|\\.)*)"/g;

/** The servers that a `Link` header of a WHIP or WHEP endpoint names (RFC 9725 §4.6). */
export function iceServersOf(header: string | null): LinkedIceServer[] {
  if (header === null || header.length > maxLength) return [];
  return [...header.matchAll(linkFormat)]
    .map(([, urls = '', rest = '']) => {
      const parameters = new Map(
        [...rest.matchAll(parameterFormat)].map(([, name = '', value = '']) => [
          name.toLowerCase(),
          value.replaceAll(/\\(.)/g, '$1'),
        ]),
      );
      return { urls, parameters };
    })
    .filter(({ parameters }) => parameters.get('rel') === 'ice-server')
    .slice(0, maxServers)
    .map(({ urls, parameters }) => {
      const [username, credential] = [parameters.get('username'), parameters.get('credential')];
      return username === undefined || credential === undefined ? { urls } : { urls, username, credential };
    });
}
