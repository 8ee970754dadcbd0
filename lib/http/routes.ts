import type { Method } from '@/lib/contract/define-endpoint';
import { allowOrigin, allowPreflight } from './cors';
import { jsonResponse, logRequest } from './error-response';
import { startExchange, type Exchange } from './exchange';
import type { Route, RouteContext } from './route';
import { services } from './services';
import { inStudio, isStudio } from './studio-dialect';
import { errorBodyOf } from '@/lib/core/reasons/reason';

type HttpMethod = Method | 'HEAD' | 'OPTIONS';

/** A handler for Next; `route` is for the test that compares the files with the registry. */
export type Handler = ((request: Request, context: RouteContext) => Promise<Response>) & {
  readonly route?: Route['endpoint'];
};

type Handlers = Readonly<Record<HttpMethod, Handler>>;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * All methods of one path, as exported by a route file. Methods without a route respond with 405, HEAD follows GET, and
 * OPTIONS is the preflight.
 */
export function routes(...declaredRoutes: readonly Route[]): Handlers {
  const handlers = handlersOf(declaredRoutes);
  return declaredRoutes.some(({ endpoint }) => inStudio(endpoint)) ? handlers : onlyBelowApi(handlers);
}

/** Removes endpoints that `/api/studio` does not have. */
function onlyBelowApi(handlers: Handlers): Handlers {
  const elsewhere = unknownPath();
  const guardedHandlers = Object.entries(handlers).map(([method, handler]) => [
    method,
    Object.assign(
      (request: Request, context: RouteContext) =>
        (isStudio(request) ? elsewhere[method as HttpMethod] : handler)(request, context),
      handler,
    ),
  ]);
  return Object.fromEntries(guardedHandlers) as Handlers;
}

function handlersOf(declaredRoutes: readonly Route[]): Handlers {
  const find = (method: Method) => declaredRoutes.find(({ endpoint }) => endpoint.method === method);
  const allowedMethods = methods.filter((method) => find(method === 'HEAD' ? 'GET' : method));
  const allow = [...allowedMethods, 'OPTIONS'].join(', ');
  const handler = (method: Method): Handler => {
    const handlerOfMethod = find(method);
    if (!handlerOfMethod) return refuse((exchange) => notAllowed(exchange, allow));
    return Object.assign(
      (request: Request, context: RouteContext) => handlerOfMethod.handle(request, context),
      {
        route: handlerOfMethod.endpoint,
      },
    );
  };
  return {
    GET: handler('GET'),
    HEAD: withoutBody(handler('GET')),
    POST: handler('POST'),
    PUT: handler('PUT'),
    PATCH: handler('PATCH'),
    DELETE: handler('DELETE'),
    OPTIONS: preflight(allow),
  };
}

/** Responds to unknown paths with 404 in the error format of the API. */
export function unknownPath(): Handlers {
  const handler = refuse(({ headers }) => jsonResponse(headers, 404, errorBodyOf(['not found'])));
  return {
    GET: handler,
    HEAD: withoutBody(handler),
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: preflight('OPTIONS'),
  };
}

function refuse(respond: (exchange: Exchange) => Response): Handler {
  return (request) => {
    const exchange = startExchange(services(), request, null);
    const origin = request.headers.get('origin');
    // Every page may read this response, because it contains no protected data.
    if (origin !== null) allowOrigin(exchange.headers, origin);
    const response = respond(exchange);
    logRequest(exchange, response);
    return Promise.resolve(response);
  };
}

function notAllowed({ headers, request }: Exchange, allow: string): Response {
  headers.set('allow', allow);
  return jsonResponse(headers, 405, errorBodyOf([`${request.method} is not allowed. Use ${allow}.`]));
}

function preflight(allow: string): Handler {
  return (request) => {
    const { headers } = startExchange(services(), request, null);
    headers.set('allow', allow);
    allowPreflight(headers, request.headers);
    return Promise.resolve(new Response(null, { status: 204, headers }));
  };
}

function withoutBody(handler: Handler): Handler {
  return async (request, context) => {
    const response = await handler(request, context);
    void response.body?.cancel();
    return new Response(null, { status: response.status, headers: response.headers });
  };
}
