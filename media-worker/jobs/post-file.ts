import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EgressError } from '@/lib/infra/egress-error';
import { sendBody } from './send-body';
import { RemoteFailure, ServiceFault, TaskFailure, type TaskJob } from './task-job';

export interface FileToPost {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly source: Readable;
}

interface Post {
  /** As messages call it, such as "the pinning service". */
  readonly who: string;
  /** It belongs to this installation: whatever it says is a fault of ours. */
  readonly ours: boolean;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Values are sent as JSON, before the file. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly file: FileToPost;
}

/**
 * Sends a file as a form with its length.
 * @returns what was answered, at most a megabyte
 * @throws TaskFailure where another try would end the same way, such as for wrong credentials
 */
export async function postFile(job: TaskJob, post: Post): Promise<string> {
  const { who, ours, url, headers, fields, file } = post;
  const boundary = `headwater${randomBytes(16).toString('hex')}`;
  const [before, after] = partsAround(fields, file, boundary);
  const failed = (message: string, options: ErrorOptions = {}) =>
    ours ? new ServiceFault(message, options) : new RemoteFailure(message, options);
  // It may fail while the connection is made: what reads it then still gets the error.
  file.source.on('error', () => undefined);
  try {
    const reply = await sendBody(job, {
      url,
      method: 'POST',
      headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: joined(before, file.source, after),
      bytes: before.length + file.bytes + after.length,
    });
    if (reply.status >= 200 && reply.status < 300) return await text(reply.body);
    reply.body.on('error', () => undefined).destroy();
    const message = `${who} answered ${reply.status}`;
    const temporary = ours || reply.status >= 500 || reply.status === 408 || reply.status === 429;
    throw temporary ? failed(message) : new TaskFailure(message);
  } catch (error) {
    job.signal.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
    throw failed(`${who} could not be reached: ${error.message}`, { cause: error });
  } finally {
    file.source.destroy();
  }
}

function partsAround(
  fields: Post['fields'],
  { name, contentType }: FileToPost,
  boundary: string,
): [Buffer, Buffer] {
  const field = (field: string, value: unknown) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${JSON.stringify(value)}\r\n`;
  const filename = name.replace(/[^\w. -]/g, '_').slice(0, 100);
  const before = [
    ...Object.entries(fields).map(([name, value]) => field(name, value)),
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n`,
    `Content-Type: ${contentType}\r\n\r\n`,
  ].join('');
  return [Buffer.from(before), Buffer.from(`\r\n--${boundary}--\r\n`)];
}

async function* joined(before: Buffer, source: Readable, after: Buffer): AsyncGenerator<Buffer> {
  yield before;
  for await (const chunk of source) yield chunk as Buffer;
  yield after;
}
