import type { Exchange } from './exchange';

/** One line a request: what, who, how it went, how long. Neither query nor headers: both may hold secrets. */
export function logRequest(exchange: Exchange, response: Response): void {
  const { services, request, endpoint, actor, requestId, ip, startedAt } = exchange;
  services.log.info(
    {
      requestId,
      method: request.method,
      path: endpoint?.path ?? new URL(request.url).pathname.slice(0, 200),
      status: response.status,
      ms: Math.round((services.clock.monotonic() - startedAt) * 10) / 10,
      ip,
      ...('userId' in actor ? { userId: actor.userId } : {}),
      ...('keyId' in actor ? { keyId: actor.keyId } : {}),
    },
    'request',
  );
}
