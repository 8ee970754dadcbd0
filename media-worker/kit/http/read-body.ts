import type { IncomingMessage } from 'node:http';
import { addAbortSignal } from 'node:stream';
import { type Answer, errorAnswer } from './answer';

/** Default maximum length of a body. Requests between nodes contain ids, no media. */
const MAX_BODY_BYTES = 16_384;
/** Timeout for the body, ms; then the connection is closed. */
const BODY_TIMEOUT_MS = 5_000;

/**
 * Reads the body of a small request. If the body is too long, returns the response to send. Rejects if the body
 * does not arrive in time.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
): Promise<Buffer | Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const limitedRequest = addAbortSignal(AbortSignal.timeout(BODY_TIMEOUT_MS), request);
  for await (const chunk of limitedRequest as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return errorAnswer(413, `At most ${maxBytes} bytes are allowed.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
