import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { omitUndefined } from '@/lib/core/omit-undefined';
import { type AppError, type Issue, statusOfError } from '@/lib/core/errors';
import { isLong, sendBody, sendStream } from './send-paced';
import type { ReaderPace, SlowReaders } from './slow-readers';
import { createErrorBody } from '@/lib/core/reasons/reason';

export type Headers = Readonly<Record<string, string | number>>;

/** The object for which the delivered bytes of an answer are counted. */
export interface Delivery {
  readonly kind: 'stream' | 'session' | 'asset';
  /** The playback id of a stream, or the id of any other object. */
  readonly id: string;
  /** Seconds of media per byte; null if only the whole file has a duration. */
  readonly secondsPerByte: number | null;
}

/** A response as data, created by functions without access to the socket. */
export interface Answer {
  readonly status: number;
  /** The object of the delivered bytes, if they are counted. */
  readonly delivery?: Delivery;
  readonly headers?: Headers;
  /** Bytes in memory, in order. */
  readonly body?: readonly Buffer[];
  /** Bytes read while they are sent, in place of `body`. Opened only when needed. */
  readonly stream?: { readonly bytes: number; readonly open: () => Promise<Readable> };
}

/** A small JSON response that is never cached. */
export function jsonAnswer(status: number, value: unknown, headers: Headers = {}): Answer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
    body: [Buffer.from(JSON.stringify(value))],
  };
}

/** An error response; its body has a list of sentences, `{"errors":[…]}`. */
export function errorAnswer(status: number, issue: Issue, headers: Headers = {}): Answer {
  return jsonAnswer(status, createErrorBody([issue]), headers);
}

/** Browsers always revalidate; shared caches ask the origin at most once a second. */
export const sharedForASecond = 'public, max-age=0, s-maxage=1';

/** The response for a URL that has no content yet: caches let waiting viewers reach the origin only once a second. */
export function notFoundAnswer(message: string): Answer {
  return errorAnswer(404, message, { 'Cache-Control': sharedForASecond });
}

/** The response for an AppError. */
export function rejectionAnswer(error: AppError): Answer {
  const retry = omitUndefined({ 'Retry-After': error.retryAfter });
  return jsonAnswer(statusOfError(error.code), createErrorBody(error.issues), retry);
}

interface SendOptions {
  /** Headers added to every response. */
  readonly common?: Headers;
  /** Called once when the response has ended, with the number of bytes sent. */
  readonly onSent?: ((bytes: number) => void) | undefined;
  /** Limits the memory for slow readers. Absent on servers that only other nodes read from. */
  readonly readers?: Pick<SlowReaders, 'paceOf'> | undefined;
}

/** Sends an answer. `HEAD` gets the headers of `GET` without the body. */
export function send(
  response: ServerResponse,
  answer: Answer,
  { common, onSent, readers }: SendOptions = {},
): void {
  const { status, headers, body, stream } = answer;
  const length = stream?.bytes ?? (body && byteLengthOf(body));
  response.writeHead(status, flattenHeaders(common, headers, length));
  if (response.req.method === 'HEAD' || (!stream && !body)) {
    response.end();
    return;
  }
  const pace = readers?.paceOf(response.req, () => response.destroy()) ?? unboundedPace;
  if (stream) {
    // After the headers, no other response is possible. The client detects a truncated body by the length.
    stream
      .open()
      .then((source) => sendStream(response, source, pace, onSent))
      .catch(() => response.destroy());
  } else if (body && isLong(length ?? 0)) sendBody(response, body, pace, onSent);
  else if (body) {
    if (onSent) response.once('close', () => onSent(response.writableFinished ? (length ?? 0) : 0));
    // The chunks of a short body are written to the socket with one system call.
    if (body.length > 1) response.cork();
    for (const chunk of body.slice(0, -1)) response.write(chunk);
    response.end(body.at(-1));
  }
}

const unboundedPace: ReaderPace = { wait: () => undefined, go: () => undefined };

/** Alternating header names and values, which is the fastest form for Node.js. */
function flattenHeaders(
  common: Headers = {},
  extra: Headers = {},
  length: number | undefined,
): (string | number)[] {
  const namesAndValues: (string | number)[] = [];
  for (const name in common) namesAndValues.push(name, common[name] ?? '');
  for (const name in extra) namesAndValues.push(name, extra[name] ?? '');
  if (length !== undefined) namesAndValues.push('Content-Length', length);
  return namesAndValues;
}

function byteLengthOf(body: readonly Buffer[]): number {
  let sum = 0;
  for (const chunk of body) sum += chunk.length;
  return sum;
}
