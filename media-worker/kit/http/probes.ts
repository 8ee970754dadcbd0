import type { IncomingMessage } from 'node:http';
import { errorAnswer, jsonAnswer, type Answer } from './answer';
import { pathOf } from './request-url';

const ok = jsonAnswer(200, { ok: true });
const notReady = errorAnswer(503, 'Not ready.', { 'Retry-After': 2 });

/**
 * Answers health probes of load balancers and orchestrators, without a signature: whether the process runs, and whether
 * it is ready. Null for any other request.
 */
export function probeAnswer({ method, url }: IncomingMessage, isReady: () => boolean): Answer | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const path = pathOf(url);
  if (path === '/livez') return ok;
  if (path === '/readyz') return isReady() ? ok : notReady;
  return null;
}
