import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Context } from '@/lib/domain/context';
import { requestNode } from '@/lib/infra/node-http';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';

interface NodeRequest {
  /** URL of the node, from its row. */
  readonly url: string;
  readonly path: string;
  /** JSON body of a POST; absent for a GET. */
  readonly body?: string;
  readonly timeoutMs: number;
}

interface NodeResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly body: string;
}

/** Sends a signed request to a node. Rejects if the connection fails, or after `timeoutMs`. */
export async function askNode(
  { settings, secrets, clock }: Pick<Context, 'settings' | 'secrets' | 'clock'>,
  { url, path, body, timeoutMs }: NodeRequest,
): Promise<NodeResponse> {
  const method = body === undefined ? 'GET' : 'POST';
  const signedRequest = {
    receiver: url,
    method,
    path,
    ...(body !== undefined && { body: Buffer.from(body) }),
  };
  const signature = createNodeSignatures(secrets, clock).sign(signedRequest);
  const request = requestNode(settings.internalTls, url + path, {
    method,
    headers: { [nodeSignatureHeader]: signature },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const responseEvent = once(request, 'response') as Promise<[IncomingMessage]>;
  // An error after the response has started is reported by the response stream.
  request.on('error', () => undefined);
  request.end(body);
  const [response] = await responseEvent;
  const status = response.statusCode ?? 502;
  return { status, ok: status >= 200 && status < 300, body: await text(response) };
}

/** Whether the machine was reached but nothing listens on the port, which means that the process is gone. */
export function isRefusedConnection(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ECONNREFUSED';
}
