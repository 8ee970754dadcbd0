import { Livepeer } from 'livepeer';
import { HTTPClient } from 'livepeer/lib/http.js';
import { dialectHeader, urlBelowApi } from '@/lib/core/studio-dialect';
import { baseUrl, findHandlers } from './test-api';

/** Passes a request to the handler of its path, like the request filter and Next. */
export async function studioRequest(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const url = urlBelowApi(pathname + search);
  if (url === null) throw new Error(`${request.method} ${pathname} is not in /api/studio`);
  const { method } = request;
  const headers = new Headers(request.headers);
  headers.set(dialectHeader, 'studio');
  const body = request.body === null ? null : await request.text();
  const target = new URL(url, baseUrl);
  const { handlers, params } = await findHandlers(target.pathname);
  const handler = handlers[method];
  if (!handler) throw new Error(`${method} ${pathname}`);
  return handler(new Request(target, { method, headers, body }), { params: Promise.resolve(params) });
}

/** The published npm package, with the route handlers in place of the network. */
export function livepeerClient(apiKey: string): Livepeer {
  const httpClient = new HTTPClient({ fetcher: (input, init) => studioRequest(new Request(input, init)) });
  return new Livepeer({ apiKey, httpClient, serverURL: `${baseUrl}/api/studio` });
}
