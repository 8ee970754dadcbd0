import type { WorkInput } from '@/lib/assets';
import { EgressError } from '@/lib/infra/egress-error';
import { StorageError } from '@/lib/infra/storage';
import { sendBody } from './send-body';
import { RemoteFailure, TaskFailure, type TaskJob } from './task-job';

export interface UrlDestination {
  readonly url?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const temporary = (status: number) => status === 408 || status === 429 || status >= 500;

/**
 * Sends the whole file in one request with its length: anything but 2xx is a failure, 5xx and a
 * broken connection are tried again.
 * @throws TaskFailure where another try would end the same way
 */
export async function exportToUrl(
  job: TaskJob,
  { sourceKey, bytes, spec }: WorkInput,
  { url = '', method = 'PUT', headers = {} }: UrlDestination,
): Promise<void> {
  const source = await job.ctx.storage.read(sourceKey);
  if (!source) throw new StorageError('missing', sourceKey);
  const own = { 'content-length': String(bytes), 'content-type': `video/${spec.format}` };
  const theirs = Object.entries(headers).filter(([name]) => !(name.toLowerCase() in own));
  try {
    const reply = await sendBody(job, {
      url,
      method,
      headers: { ...Object.fromEntries(theirs), ...own },
      body: source,
      bytes,
      onSent: (sent) => job.report(sent / Math.max(bytes, 1)),
    });
    reply.body.on('error', () => undefined).destroy();
    if (reply.status >= 200 && reply.status < 300) return;
    const message = `the destination answered ${reply.status}`;
    throw temporary(reply.status) ? new RemoteFailure(message) : new TaskFailure(message);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const message = `the file could not be sent: ${error.message}`;
    if (error.failure === 'bad_request' || error.failure === 'redirect') throw new TaskFailure(message);
    throw new RemoteFailure(message, { cause: error });
  } finally {
    source.destroy();
  }
}
