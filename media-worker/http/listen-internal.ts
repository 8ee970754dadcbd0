import type { RequestListener } from 'node:http';
import type { WorkerContext } from '@/lib/context';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { errorAnswer, send } from './answer';
import { listen, type HttpServer } from './listen';

/** Roles that listen for other nodes alone, in the order of their ports from INTERNAL_PORT on. */
const internalRoles = ['live', 'jobs'] as const;

export interface InternalServer extends HttpServer {
  /** Where other nodes reach it. */
  readonly url: string;
}

const unsigned = errorAnswer(401, 'Only nodes of this installation may ask.');
const readOnly = errorAnswer(405, 'Only GET and HEAD are allowed.', { Allow: 'GET, HEAD' });

/** Serves the other nodes, and this machine's own processes, at the internal address: signed requests only. */
export async function listenInternal(
  { settings, secrets, clock, log }: Pick<WorkerContext, 'settings' | 'secrets' | 'clock' | 'log'>,
  role: (typeof internalRoles)[number],
  handler: RequestListener,
  { maxConnections }: { readonly maxConnections: number },
): Promise<InternalServer> {
  const signatures = createNodeSignatures(secrets, clock);
  const guarded: RequestListener = (request, response) => {
    const { method = '', url = '', headers } = request;
    const signature = headers[nodeSignatureHeader];
    const known = signatures.accepts(
      { method, path: url },
      typeof signature === 'string' ? signature : undefined,
    );
    if (!known) send(response, unsigned);
    else if (method !== 'GET' && method !== 'HEAD') send(response, readOnly);
    else handler(request, response);
  };
  const { internalHost: host, internalPort, internalUrl } = settings;
  const port = internalPort === undefined ? 0 : internalPort + internalRoles.indexOf(role);
  const server = await listen(guarded, { host, port, maxConnections, log });
  return { ...server, url: `${internalUrl}:${server.port}` };
}
