import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { type AppError, statusOfError } from '@/lib/core/errors';
import { isLong, sendBody, sendStream } from './send-paced';
import type { ReaderPace, SlowReaders } from './slow-readers';
import { errorBodyOf } from '@/lib/core/reasons/reason';

export type Headers = Readonly<Record<string, string | number>>;

/** Whose usage the bytes of an answer are. */
export interface Delivery {
  readonly of: 'stream' | 'session' | 'asset';
  /** The playback id of a stream; otherwise an id. */
  readonly id: string;
  /** Of media in these bytes; null when they are media of a length that only the whole file has. */
  readonly secondsPerByte: number | null;
}

/** A response as data, created by functions without access to the socket. */
export interface Answer {
  readonly status: number;
  /** Whose bytes they are, where sent bytes are counted. */
  readonly delivery?: Delivery;
  readonly headers?: Headers;
  /** Bytes already in memory, one after the other. */
  readonly body?: readonly Buffer[];
  /** Instead of `body`: bytes that are read while they are sent. Opened only when they are needed. */
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

/** The error body of every response: a list of sentences. */
export function errorAnswer(status: number, message: string, headers: Headers = {}): Answer {
  return jsonAnswer(status, errorBodyOf([message]), headers);
}

/** A browser always asks again; what stands between it and the origin, not more often than once a second. */
export const sharedForASecond = 'public, max-age=0, s-maxage=1';

/** For a URL that has nothing now: thousands who wait for it reach the origin once a second. */
export function notFoundAnswer(message: string): Answer {
  return errorAnswer(404, message, { 'Cache-Control': sharedForASecond });
}

/** The same for a refusal that names several things. */
export function refusalAnswer(error: AppError): Answer {
  const retry = error.retryAfter === undefined ? {} : { 'Retry-After': error.retryAfter };
  return jsonAnswer(statusOfError(error.code), errorBodyOf(error.messages), retry);
}

interface Sending {
  /** Headers added to every response. */
  readonly common?: Headers;
  /** Called once when the response has ended, with the number of bytes sent. */
  readonly onSent?: ((bytes: number) => void) | undefined;
  /** Bounds what slow readers hold in memory; absent where only other nodes read. */
  readonly readers?: Pick<SlowReaders, 'paceOf'> | undefined;
}

/** `HEAD` gets the headers of a `GET`, without the bytes. */
export function send(
  response: ServerResponse,
  answer: Answer,
  { common, onSent, readers }: Sending = {},
): void {
  const { status, headers, body, stream } = answer;
  const length = stream?.bytes ?? (body && bytesOf(body));
  response.writeHead(status, flat(common, headers, length));
  if (response.req.method === 'HEAD' || (!stream && !body)) {
    response.end();
    return;
  }
  const pace = readers?.paceOf(response.req, () => response.destroy()) ?? unboundedPace;
  if (stream) {
    // Too late for another response: the client notices a truncated one by its length.
    stream
      .open()
      .then((source) => sendStream(response, source, pace, onSent))
      .catch(() => response.destroy());
  } else if (body && isLong(length ?? 0)) sendBody(response, body, pace, onSent);
  else if (body) {
    if (onSent) response.once('close', () => onSent(response.writableFinished ? (length ?? 0) : 0));
    if (body.length > 1) response.cork();
    for (const chunk of body.slice(0, -1)) response.write(chunk);
    response.end(body.at(-1));
  }
}

const unboundedPace: ReaderPace = { wait: () => undefined, go: () => undefined };

/** Names and values in turn: what Node writes with the least work. */
function flat(common: Headers = {}, extra: Headers = {}, length: number | undefined): (string | number)[] {
  const list: (string | number)[] = [];
  for (const name in common) list.push(name, common[name] ?? '');
  for (const name in extra) list.push(name, extra[name] ?? '');
  if (length !== undefined) list.push('Content-Length', length);
  return list;
}

function bytesOf(body: readonly Buffer[]): number {
  let sum = 0;
  for (const chunk of body) sum += chunk.length;
  return sum;
}

/** A value of the query of a request target; null when it is not there. */
export function queryValue(target: string | undefined, name: string): string | null {
  return queryOf(target).get(name);
}

/** The query of a request target. */
export function queryOf(target: string | undefined): URLSearchParams {
  const start = target?.indexOf('?') ?? -1;
  return new URLSearchParams(start === -1 ? '' : target?.slice(start));
}

/** The same for a log line: a token in it would let its reader watch. */
export function loggedPathOf(target: string | undefined): string {
  return pathOf(target).replace(/(~|%7e)[\w-]{30,}/gi, '~***');
}

/** The part of a request target before its query; nothing in it is decoded. */
export function pathOf(target: string | undefined): string {
  return (target ?? '').split('?', 1)[0] ?? '';
}
