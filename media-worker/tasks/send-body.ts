import { Readable } from 'node:stream';
import type { RateFloor } from '@/lib/core/media/transfer-rate';
import type { Clock } from '@/lib/infra/clock';
import type { EgressReply } from '@/lib/infra/egress/egress';
import { RemoteFailure, type TaskJob } from './task-job';
import { TransferTooSlow, watchRate } from './watch-rate';

export interface BodyToSend {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Buffer>;
  readonly bytes: number;
  readonly onSent?: (bytes: number) => void;
  /** Tests shorten it. */
  readonly floor?: RateFloor;
}

const hourMs = 3_600_000;
/** Timeout of the response after the last byte: the receiver may have to store the file first. */
const answerMs = 120_000;

/**
 * Sends a body of known length to a remote server, which must accept a minimum rate. @throws EgressError of the remote
 * side; RemoteFailure if it is too slow; the error of the body if reading it fails, which is an internal fault; the
 * job's reason when it is aborted
 */
export async function sendBody(
  { ctx, egress, signal }: Pick<TaskJob, 'egress' | 'signal'> & { readonly ctx: { readonly clock: Clock } },
  { url, method, headers, body, bytes, onSent, floor }: BodyToSend,
): Promise<EgressReply> {
  const rate = watchRate(ctx.clock, floor);
  let unreadable: { readonly error: unknown } | undefined;
  let sent = 0;
  // It may fail before it is read; the later reader still gets the error.
  if (body instanceof Readable) body.on('error', () => undefined);
  const source = body[Symbol.asyncIterator]();
  const next = () =>
    source.next().catch((error: unknown) => {
      unreadable = { error };
      throw error;
    });
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for (let step = await next(); step.done !== true; step = await next()) {
        yield step.value;
        sent += step.value.length;
        rate.moved(step.value.length);
        onSent?.(sent);
        if (sent >= bytes) rate.close();
      }
    } finally {
      await source.return?.();
    }
  }
  try {
    return await egress.fetch(url, {
      method,
      headers: { ...headers, 'content-length': String(bytes) },
      body: Readable.from(counted(), { objectMode: false }),
      timeoutMs: hourMs,
      headersTimeoutMs: answerMs,
      signal: AbortSignal.any([signal, rate.signal]),
    });
  } catch (error) {
    signal.throwIfAborted();
    const { reason } = rate.signal as { reason: unknown };
    if (reason instanceof TransferTooSlow)
      throw new RemoteFailure(`the other server takes the file too slowly: ${reason.message}`);
    if (unreadable) throw unreadable.error;
    throw error;
  } finally {
    rate.close();
  }
}
