import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { PinningCredentials } from '@/lib/core/export-params';
import { EgressError } from '@/lib/infra/egress-error';
import { TaskFailure, type TaskJob } from './task-job';

export interface FileToPin {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly source: Readable;
}

/** The service failed; another try may succeed. */
class PinningInterrupted extends Error {
  override readonly name = 'PinningInterrupted';
  constructor(
    readonly userMessage: string,
    options: ErrorOptions = {},
  ) {
    super(userMessage, options);
  }
}

const hourMs = 3_600_000;
const contentIdShape = /^[A-Za-z0-9]{20,128}$/;

/**
 * Sends a file to a pinning service and tells what the service calls it (api-contract §9.1).
 * @throws TaskFailure where another try would end the same way, such as for wrong credentials
 */
export async function pinFile(
  job: TaskJob,
  credentials: PinningCredentials,
  file: FileToPin,
): Promise<string> {
  const boundary = `headwater${randomBytes(16).toString('hex')}`;
  const [before, after] = partsAround(file, boundary);
  const body = Readable.from(joined(before, file.source, after), { objectMode: false });
  try {
    const reply = await job.egress.fetch(`${job.ctx.settings.ipfsPinningUrl}/pinning/pinFileToIPFS`, {
      method: 'POST',
      headers: {
        ...credentialHeaders(credentials),
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(before.length + file.bytes + after.length),
      },
      body,
      timeoutMs: hourMs,
      signal: job.signal,
    });
    if (reply.status < 200 || reply.status >= 300) {
      reply.body.destroy();
      const message = `the pinning service answered ${reply.status}`;
      const temporary = reply.status >= 500 || reply.status === 408 || reply.status === 429;
      throw temporary ? new PinningInterrupted(message) : new TaskFailure(message);
    }
    const answer = (await json(reply.body).catch(() => null)) as { IpfsHash?: unknown } | null;
    if (typeof answer?.IpfsHash === 'string' && contentIdShape.test(answer.IpfsHash)) return answer.IpfsHash;
    throw new TaskFailure('the pinning service did not say where the file is');
  } catch (error) {
    job.signal.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
    throw new PinningInterrupted(`the pinning service could not be reached: ${error.message}`, {
      cause: error,
    });
  } finally {
    file.source.destroy();
  }
}

/** Names of the specification (§4.4), and those that the public service reads. */
function credentialHeaders(credentials: PinningCredentials): Record<string, string> {
  if ('jwt' in credentials) return { authorization: `Bearer ${credentials.jwt}` };
  const { apiKey, apiSecret } = credentials;
  return {
    pinning_api_key: apiKey,
    pinning_secret_api_key: apiSecret,
    pinata_api_key: apiKey,
    pinata_secret_api_key: apiSecret,
  };
}

function partsAround({ name, contentType }: FileToPin, boundary: string): [Buffer, Buffer] {
  const field = (field: string, value: unknown) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${JSON.stringify(value)}\r\n`;
  const filename = name.replace(/[^\w. -]/g, '_').slice(0, 100);
  const before = [
    field('pinataOptions', { cidVersion: 1 }),
    field('pinataMetadata', { name, keyvalues: { createdBy: 'headwater' } }),
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
