import type { IncomingMessage } from 'node:http';
import { pathOf } from './request-url';

/**
 * Adds a slash to the end of the path of a request, so that a token at the end is parsed like a token before a
 * file name.
 */
export function withTrailingSlash(request: IncomingMessage): IncomingMessage {
  const { url = '', headers } = request;
  const path = pathOf(url);
  const pathWithSlash = path.endsWith('/') ? path : `${path}/`;
  return Object.create(request, {
    url: { value: pathWithSlash + url.slice(path.length) },
    headers: { value: headers },
  }) as IncomingMessage;
}
