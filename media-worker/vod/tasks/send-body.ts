import { HOUR_MS } from '@/lib/core/units';
import { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { MinRate } from '@/lib/core/media/transfer-rate';
import type { Clock } from '@/lib/infra/clock';
import type { EgressReply } from '@/lib/infra/egress/egress';
import { RemoteFailure, type TaskJob } from './task-job';
import { TransferTooSlow, startRateWatch } from './watch-rate';

/** A request with a body of known length. */
export interface BodyToSend {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Buffer>;
  readonly bytes: number;
  readonly onSent?: (bytes: number) => void;
  /**
   * Time to wait for an answer after the first bytes and before the rest: a server that closes the connection
   * while a body is being written loses its answer.
   */
  readonly holdMs?: number;
  /** Minimum transfer rate; tests shorten its times. */
  readonly minRate?: MinRate;
}

/** Bytes sent before the wait, because undici writes the headers with the first bytes of the body. */
const FIRST_BYTES = 512;
/** Timeout of the response after the last byte: the receiver may have to store the file first. */
const RESPONSE_TIMEOUT_MS = 120_000;

/**
 * Sends a body of known length to a remote server, which must accept a minimum rate.
 * @throws EgressError of the remote side; RemoteFailure if it is too slow; the error of the body if reading it fails,
 * which is an internal fault; the job's reason when it is aborted
 */
export async function sendBody(
  { ctx, egress, signal }: Pick<TaskJob, 'egress' | 'signal'> & { readonly ctx: { readonly clock: Clock } },
  { url, method, headers, body, bytes, onSent, holdMs, minRate }: BodyToSend,
): Promise<EgressReply> {
  const rateWatch = startRateWatch(ctx.clock, minRate);
  let readFailure: { readonly error: unknown } | undefined;
  let sentBytes = 0;
  const holdEnd = new AbortController();
  // The body may fail before it is read; its later reader still gets the error.
  if (body instanceof Readable) body.on('error', () => undefined);
  const source = (holdMs === undefined ? body : withEarlyAnswerWait(body, holdMs, holdEnd.signal))[
    Symbol.asyncIterator
  ]();
  const readNext = () =>
    source.next().catch((error: unknown) => {
      readFailure = { error };
      throw error;
    });
  async function* countBody(): AsyncGenerator<Buffer> {
    try {
      for (let step = await readNext(); step.done !== true; step = await readNext()) {
        // Read what has arrived before the next write, which fails if the server has answered and closed.
        await setImmediate();
        yield step.value;
        sentBytes += step.value.length;
        rateWatch.onBytes(step.value.length);
        onSent?.(sentBytes);
        if (sentBytes >= bytes) rateWatch.close();
      }
    } finally {
      await source.return?.();
    }
  }
  try {
    return await egress.fetch(url, {
      method,
      headers: { ...headers, 'content-length': String(bytes) },
      body: Readable.from(countBody(), { objectMode: false }),
      timeoutMs: HOUR_MS,
      headersTimeoutMs: RESPONSE_TIMEOUT_MS,
      signal: AbortSignal.any([signal, rateWatch.signal]),
    });
  } catch (error) {
    signal.throwIfAborted();
    const { reason } = rateWatch.signal as { reason: unknown };
    if (reason instanceof TransferTooSlow)
      throw new RemoteFailure(`the other server takes the file too slowly: ${reason.message}`);
    if (readFailure) throw readFailure.error;
    throw error;
  } finally {
    rateWatch.close();
    holdEnd.abort();
  }
}

/**
 * The same bytes, with a wait after a first chunk of `FIRST_BYTES`.
 * @param holdEnded ends the wait
 */
async function* withEarlyAnswerWait(
  body: AsyncIterable<Buffer>,
  holdMs: number,
  holdEnded: AbortSignal,
): AsyncGenerator<Buffer> {
  let hasWaited = false;
  for await (const chunk of body) {
    if (hasWaited) yield chunk;
    else {
      yield chunk.subarray(0, FIRST_BYTES);
      await setTimeout(holdMs, undefined, { signal: holdEnded }).catch(() => undefined);
      hasWaited = true;
      if (chunk.length > FIRST_BYTES) yield chunk.subarray(FIRST_BYTES);
    }
  }
}
