/** A STUN or TURN server as `RTCPeerConnection` takes it. */
export interface LinkedIceServer {
  readonly urls: string;
  readonly username?: string;
  readonly credential?: string;
}

/** Maximum number of servers; more would only slow down connecting. */
const MAX_SERVERS = 8;
const MAX_HEADER_LENGTH = 16_384;

/** Pattern of one link: its URL, and its parameters with quoted values. */
const linkPattern = /<((?:stun|turn)s?:[^>]*)>((?:\s*;\s*[\w-]+="(?:[^"\\]|\\.)*")*)/g;
const parameterPattern = /([\w-]+)="((?:[^"\\]|\\.)*)"/g;

/**
 * Parses the `Link` header of a WHIP or WHEP endpoint (RFC 9725 §4.6).
 * @returns the STUN and TURN servers; empty without any
 */
export function parseIceServerLinks(header: string | null): LinkedIceServer[] {
  if (header === null || header.length > MAX_HEADER_LENGTH) return [];
  return [...header.matchAll(linkPattern)]
    .map(([, urls = '', parametersText = '']) => {
      const parameters = new Map(
        [...parametersText.matchAll(parameterPattern)].map(([, name = '', value = '']) => [
          name.toLowerCase(),
          value.replaceAll(/\\(.)/g, '$1'),
        ]),
      );
      return { urls, parameters };
    })
    .filter(({ parameters }) => parameters.get('rel') === 'ice-server')
    .slice(0, MAX_SERVERS)
    .map(({ urls, parameters }) => {
      const [username, credential] = [parameters.get('username'), parameters.get('credential')];
      return username === undefined || credential === undefined ? { urls } : { urls, username, credential };
    });
}
