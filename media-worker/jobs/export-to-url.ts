import { Transform } from 'node:stream';
import type { WorkInput } from '@/lib/assets';
import { EgressError } from '@/lib/infra/egress-error';
import { StorageError } from '@/lib/infra/storage';
import { TaskFailure, type TaskJob } from './task-job';

export interface UrlDestination {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The other side failed; another try may succeed. */
class ExportInterrupted extends Error {
  override readonly name = 'ExportInterrupted';
  constructor(
    readonly userMessage: string,
    options: ErrorOptions = {},
  ) {
    super(userMessage, options);
  }
}

const hourMs = 3_600_000;
const temporary = (status: number) => status === 408 || status === 429 || status >= 500;

/**
 * Sends the whole file in one request with its length (api-contract §9.1): anything but 2xx is a failure, 5xx and a
 * broken connection are tried again.
 * @throws TaskFailure where another try would end the same way
 */
export async function exportToUrl(
  { ctx, egress, signal, report }: TaskJob,
  { sourceKey, bytes, spec }: WorkInput,
  { url = '', method = 'PUT', headers = {} }: UrlDestination,
): Promise<void> {
  const source = await ctx.storage.read(sourceKey);
  if (!source) throw new StorageError('missing', sourceKey);
  let sent = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      sent += chunk.length;
      report(sent / Math.max(bytes, 1));
      callback(null, chunk);
    },
  });
  source.on('error', (error) => counted.destroy(error));
  const own = { 'content-length': String(bytes), 'content-type': `video/${spec.format}` };
  const theirs = Object.entries(headers).filter(([name]) => !(name.toLowerCase() in own));
  try {
    const reply = await egress.fetch(url, {
      method,
      headers: { ...Object.fromEntries(theirs), ...own },
      body: source.pipe(counted),
      timeoutMs: hourMs,
      signal,
    });
    reply.body.on('error', () => undefined).destroy();
    if (reply.status >= 200 && reply.status < 300) return;
    const message = `the destination answered ${reply.status}`;
    throw temporary(reply.status) ? new ExportInterrupted(message) : new TaskFailure(message);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
    const message = `the file could not be sent: ${error.message}`;
    if (error.failure === 'bad_request' || error.failure === 'redirect') throw new TaskFailure(message);
    throw new ExportInterrupted(message, { cause: error });
  } finally {
    source.destroy();
  }
}
