import { Livepeer } from 'livepeer';
import { HTTPClient } from 'livepeer/lib/http.js';
import type { Handler } from '@/lib/http/routes';
import * as studio from '../studio/[...path]/route';
import { baseUrl } from './test-api';

const mount = '/api/studio';

/** Hands a request to the exported handler of the mount, as Next would. */
export async function studioRequest(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const path = pathname
    .slice(mount.length + 1)
    .split('/')
    .map(decodeURIComponent);
  const handler = (studio as unknown as Readonly<Record<string, Handler | undefined>>)[request.method];
  if (!handler || !pathname.startsWith(`${mount}/`)) throw new Error(`${request.method} ${pathname}`);
  return handler(request, { params: Promise.resolve({ path }) });
}

/** The npm package as its users have it, with the handlers in place of the network. */
export function livepeerClient(apiKey: string): Livepeer {
  const httpClient = new HTTPClient({ fetcher: (input, init) => studioRequest(new Request(input, init)) });
  return new Livepeer({ apiKey, httpClient, serverURL: `${baseUrl}${mount}` });
}
