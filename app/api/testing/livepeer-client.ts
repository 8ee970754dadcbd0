import { Livepeer } from 'livepeer';
import { HTTPClient } from 'livepeer/lib/http.js';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { dialectHeader, apiUrlOf } from '@/lib/core/studio-dialect';
import { baseUrl, findHandlers } from './test-api';

/** Passes a request to the route handler of its path, as the request filter and Next do. */
export async function sendStudioRequest(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const url = apiUrlOf(pathname + search);
  if (url === null) throw new Error(`${request.method} ${pathname} is not in /api/studio`);
  const { method } = request;
  const headers = new Headers(request.headers);
  headers.set(dialectHeader, 'studio');
  const body = request.body === null ? null : await request.text();
  const target = new URL(url, baseUrl);
  const { handlers, params } = await findHandlers(target.pathname);
  const handler = handlers[method];
  if (!handler) throw new Error(`No ${method} export for ${pathname}`);
  return handler(new Request(target, { method, headers, body }), { params: Promise.resolve(params) });
}

/** A client of the published npm package, which calls the route handlers instead of the network. */
export function createLivepeerClient(apiKey?: string): Livepeer {
  const httpClient = new HTTPClient({
    fetcher: (input, init) => sendStudioRequest(new Request(input, init)),
  });
  return new Livepeer({ ...omitUndefined({ apiKey }), httpClient, serverURL: `${baseUrl}/api/studio` });
}
