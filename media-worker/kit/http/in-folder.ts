import type { IncomingMessage } from 'node:http';
import { pathOf } from './answer';

/** The same request with a slash at the end of its path, so that a token at the end is parsed like one before a file name. */
export function inFolder(request: IncomingMessage): IncomingMessage {
  const { url = '', headers } = request;
  const path = pathOf(url);
  const folder = path.endsWith('/') ? path : `${path}/`;
  return Object.create(request, {
    url: { value: folder + url.slice(path.length) },
    headers: { value: headers },
  }) as IncomingMessage;
}
