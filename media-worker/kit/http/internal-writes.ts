import type { IncomingMessage } from 'node:http';
import { nodeSignatureHeader, type NodeSignatures } from '@/lib/infra/node-signatures';
import { errorAnswer, type Answer } from './answer';
import { readBody } from './read-body';

/** Handlers for POST requests of other nodes, by path. */
export type InternalWrites = Readonly<Record<string, (body: string) => Promise<Answer>>>;

/** Answers a POST request of another node; null for any other request. */
export type AnswerWrite = (request: IncomingMessage) => Promise<Answer> | null;

interface WriteHandlerOptions {
  readonly signatures: NodeSignatures;
  /** Returns the URL of this process for other nodes; undefined while it is unknown, and then all requests are rejected. */
  readonly receiver: () => string | undefined;
  readonly writes: InternalWrites;
  /** Maximum length of a body. Default: that of `readBody`. */
  readonly maxBytes?: number | undefined;
}

/** The answer to a request without a valid signature, which does not say what is wrong with it. */
export const unsignedAnswer = errorAnswer(401, 'Only nodes of this installation may ask.');

/** Handles requests with a signed body; each process accepts a signature once. */
export function createWriteHandler(options: WriteHandlerOptions): AnswerWrite {
  const { writes } = options;
  return (request) => {
    const { method, url = '' } = request;
    const write = method === 'POST' && Object.hasOwn(writes, url) ? writes[url] : undefined;
    return write ? answerSigned(request, write, options) : null;
  };
}

/** Handles a signed request. The signature covers the body, so it is checked after the body is read. */
async function answerSigned(
  request: IncomingMessage,
  write: InternalWrites[string],
  { signatures, receiver: readReceiverUrl, maxBytes }: WriteHandlerOptions,
): Promise<Answer> {
  const body = await readBody(request, maxBytes).catch(() => unsignedAnswer);
  if (!Buffer.isBuffer(body)) return body;
  const receiver = readReceiverUrl();
  if (receiver === undefined) return unsignedAnswer;
  const signedRequest = { receiver, method: 'POST', path: request.url ?? '', body };
  return signatures.accepts(signedRequest, signatureOf(request))
    ? write(body.toString('utf8'))
    : unsignedAnswer;
}

/** The signature in the header of a request; undefined if there is none. */
export function signatureOf({ headers }: IncomingMessage): string | undefined {
  const signature = headers[nodeSignatureHeader];
  return typeof signature === 'string' ? signature : undefined;
}
