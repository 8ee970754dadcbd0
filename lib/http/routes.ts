import type { Method } from '@/lib/contract/define-endpoint';
import { allowOrigin, allowPreflight } from './cors';
import { createJsonResponse, logRequest } from './error-response';
import { startExchange, type Exchange } from './exchange';
import type { Route, RouteContext } from './route';
import { getServices } from './services';
import { existsInStudioApi, isStudioRequest } from './studio-dialect';
import { createErrorBody } from '@/lib/core/reasons/reason';

type HttpMethod = Method | 'HEAD' | 'OPTIONS';

/** A route handler for Next. `route` is for the test that compares the route files with the registry of endpoints. */
export type Handler = ((request: Request, context: RouteContext) => Promise<Response>) & {
  readonly route?: Route['endpoint'];
};

type Handlers = Readonly<Record<HttpMethod, Handler>>;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * All methods of one path, as exported by a route file of Next, from the endpoints that `route` (route.ts) has bound to
 * handlers. A file exports all seven methods even for one endpoint, because Next would answer the others without the error
 * format of the API. Methods without an endpoint respond with 405, HEAD follows GET, and
 * OPTIONS is the preflight.
 */
export function routes(...declaredRoutes: readonly Route[]): Handlers {
  const handlers = createHandlers(declaredRoutes);
  return declaredRoutes.some(({ endpoint }) => existsInStudioApi(endpoint))
    ? handlers
    : hideFromStudio(handlers);
}

/** Responds with 404 below `/api/studio`, which does not have these endpoints. */
function hideFromStudio(handlers: Handlers): Handlers {
  const notFoundHandlers = unknownPathHandlers();
  const guardedHandlers = Object.entries(handlers).map(([method, handler]) => [
    method,
    Object.assign(
      (request: Request, context: RouteContext) =>
        (isStudioRequest(request) ? notFoundHandlers[method as HttpMethod] : handler)(request, context),
      handler,
    ),
  ]);
  return Object.fromEntries(guardedHandlers) as Handlers;
}

function createHandlers(declaredRoutes: readonly Route[]): Handlers {
  const findRoute = (method: Method) => declaredRoutes.find(({ endpoint }) => endpoint.method === method);
  const allowedMethods = methods.filter((method) => findRoute(method === 'HEAD' ? 'GET' : method));
  const allowHeader = [...allowedMethods, 'OPTIONS'].join(', ');
  const createHandler = (method: Method): Handler => {
    const declaredRoute = findRoute(method);
    if (!declaredRoute)
      return createRejectingHandler((exchange) => createMethodNotAllowedResponse(exchange, allowHeader));
    return Object.assign(
      (request: Request, context: RouteContext) => declaredRoute.handle(request, context),
      {
        route: declaredRoute.endpoint,
      },
    );
  };
  return {
    GET: createHandler('GET'),
    HEAD: withoutBody(createHandler('GET')),
    POST: createHandler('POST'),
    PUT: createHandler('PUT'),
    PATCH: createHandler('PATCH'),
    DELETE: createHandler('DELETE'),
    OPTIONS: createPreflight(allowHeader),
  };
}

/** Handlers that respond with 404 in the error format of the API. */
export function unknownPathHandlers(): Handlers {
  const handler = createRejectingHandler(({ headers }) =>
    createJsonResponse(headers, 404, createErrorBody(['not found'])),
  );
  return {
    GET: handler,
    HEAD: withoutBody(handler),
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: createPreflight('OPTIONS'),
  };
}

function createRejectingHandler(respond: (exchange: Exchange) => Response): Handler {
  return (request) => {
    const exchange = startExchange(getServices(), request, null);
    const origin = request.headers.get('origin');
    // Every page may read this response, because it contains no protected data.
    if (origin !== null) allowOrigin(exchange.headers, origin);
    const response = respond(exchange);
    logRequest(exchange, response);
    return Promise.resolve(response);
  };
}

function createMethodNotAllowedResponse({ headers, request }: Exchange, allowHeader: string): Response {
  headers.set('allow', allowHeader);
  return createJsonResponse(
    headers,
    405,
    createErrorBody([`${request.method} is not allowed. Use ${allowHeader}.`]),
  );
}

function createPreflight(allowHeader: string): Handler {
  return (request) => {
    const { headers } = startExchange(getServices(), request, null);
    headers.set('allow', allowHeader);
    allowPreflight(headers, request.headers);
    return Promise.resolve(new Response(null, { status: 204, headers }));
  };
}

/** Handles HEAD by the handler of GET, and drops the body. */
function withoutBody(handler: Handler): Handler {
  return async (request, context) => {
    const response = await handler(request, context);
    void response.body?.cancel();
    return new Response(null, { status: response.status, headers: response.headers });
  };
}
