import type { IncomingMessage, RequestListener } from 'node:http';
import type { WorkerContext } from '@/lib/context';
import { createNodeSignatures, nodeSignatureHeader, type NodeSignatures } from '@/lib/infra/node-signatures';
import { errorAnswer, send, type Answer } from './answer';
import { listen, type HttpServer } from './listen';

/** Roles that listen for other nodes alone, in the order of their ports from INTERNAL_PORT on. */
const internalRoles = ['live', 'jobs'] as const;

export interface InternalServer extends HttpServer {
  /** Where other nodes reach it. */
  readonly url: string;
}

const unsigned = errorAnswer(401, 'Only nodes of this installation may ask.');
/** Requests between nodes name things; they carry no media. */
const maxBodyBytes = 16_384;
const tooLong = errorAnswer(413, `At most ${maxBodyBytes} bytes are allowed.`);
const readOnly = errorAnswer(405, 'Only GET and HEAD are allowed.', { Allow: 'GET, HEAD' });

/** Answers to POST requests, by path. */
export type InternalWrites = Readonly<Record<string, (body: string) => Promise<Answer>>>;

interface InternalOptions {
  readonly maxConnections: number;
  readonly writes?: InternalWrites;
}

/** Serves the other nodes, and this machine's own processes, at the internal address: signed requests only. */
export async function listenInternal(
  { settings, secrets, clock, log }: Pick<WorkerContext, 'settings' | 'secrets' | 'clock' | 'log'>,
  role: (typeof internalRoles)[number],
  handler: RequestListener,
  { maxConnections, writes = {} }: InternalOptions,
): Promise<InternalServer> {
  const signatures = createNodeSignatures(secrets, clock);
  const guarded: RequestListener = (request, response) => {
    const { method = '', url = '' } = request;
    const write = method === 'POST' && Object.hasOwn(writes, url) ? writes[url] : undefined;
    if (write) {
      answerWrite(request, signatures, write)
        .then((answer) => send(response, answer))
        .catch((error: unknown) => {
          log.error({ err: error, path: url }, 'request failed');
          response.destroy();
        });
    } else if (!signatures.accepts({ method, path: url }, signatureOf(request))) send(response, unsigned);
    else if (method !== 'GET' && method !== 'HEAD') send(response, readOnly);
    else handler(request, response);
  };
  const { internalHost: host, internalPort, internalUrl } = settings;
  const port = internalPort === undefined ? 0 : internalPort + internalRoles.indexOf(role);
  const server = await listen(guarded, { host, port, maxConnections, log });
  return { ...server, url: `${internalUrl}:${server.port}` };
}

/** The signature covers the body, so it is checked after the body was read. */
async function answerWrite(
  request: IncomingMessage,
  signatures: NodeSignatures,
  write: InternalWrites[string],
): Promise<Answer> {
  const body = await bodyOf(request);
  if (body === null) return tooLong;
  const signed = { method: 'POST', path: request.url ?? '', body };
  return signatures.accepts(signed, signatureOf(request)) ? write(body.toString('utf8')) : unsigned;
}

function signatureOf({ headers }: IncomingMessage): string | undefined {
  const signature = headers[nodeSignatureHeader];
  return typeof signature === 'string' ? signature : undefined;
}

/** Null when it is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
