import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { PinningCredentials } from '@/lib/core/assets/export-params';
import { EgressError } from '@/lib/infra/egress/egress-error';
import { sendBody } from '@/media-worker/vod/tasks/send-body';
import { RemoteFailure, ServiceFault, TaskFailure, type TaskJob } from '@/media-worker/vod/tasks/task-job';

export interface FileToPost {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly source: Readable;
}

interface Post {
  /** Name in messages, such as "the pinning service". */
  readonly service: string;
  /** Whether the node belongs to this installation, so its errors are internal faults. */
  readonly isOwnNode: boolean;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Form fields, sent as JSON before the file. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly file: FileToPost;
}

/**
 * Sends a file as a form with its length.
 * @returns the answer, at most a megabyte
 * @throws TaskFailure if a retry would fail the same way, for example with wrong credentials; otherwise ServiceFault
 * for a node of this installation, and RemoteFailure for another service
 */
async function postFile(job: TaskJob, post: Post): Promise<string> {
  const { service, isOwnNode, url, headers, fields, file } = post;
  const boundary = `headwater${randomBytes(16).toString('hex')}`;
  const [partBefore, partAfter] = formPartsOf(fields, file, boundary);
  const fault = (message: string, options: ErrorOptions = {}) =>
    isOwnNode ? new ServiceFault(message, options) : new RemoteFailure(message, options);
  // The source may fail during the connect; its later reader still gets the error.
  file.source.on('error', () => undefined);
  try {
    const reply = await sendBody(job, {
      url,
      method: 'POST',
      headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: formBody(partBefore, file.source, partAfter),
      // On a retry, the answer is read before the rest of the file is sent: the server may have answered early and
      // closed the connection.
      ...(job.task.retries > 0 ? { holdMs: 2_000 } : {}),
      bytes: partBefore.length + file.bytes + partAfter.length,
    });
    if (reply.status >= 200 && reply.status < 300) return await text(reply.body);
    reply.body.on('error', () => undefined).destroy();
    const message = `${service} answered ${reply.status}`;
    const isTemporary = isOwnNode || reply.status >= 500 || reply.status === 408 || reply.status === 429;
    throw isTemporary ? fault(message) : new TaskFailure(message);
  } catch (error) {
    job.signal.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
    throw fault(`${service} could not be reached: ${error.message}`, { cause: error });
  } finally {
    file.source.destroy();
  }
}

function formPartsOf(
  fields: Post['fields'],
  { name, contentType }: FileToPost,
  boundary: string,
): [Buffer, Buffer] {
  const fieldPart = (fieldName: string, value: unknown) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${fieldName}"\r\n\r\n${JSON.stringify(value)}\r\n`;
  const filename = name.replace(/[^\w. -]/g, '_').slice(0, 100);
  const headerPart = [
    ...Object.entries(fields).map(([fieldName, value]) => fieldPart(fieldName, value)),
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n`,
    `Content-Type: ${contentType}\r\n\r\n`,
  ].join('');
  return [Buffer.from(headerPart), Buffer.from(`\r\n--${boundary}--\r\n`)];
}

async function* formBody(partBefore: Buffer, source: Readable, partAfter: Buffer): AsyncGenerator<Buffer> {
  yield partBefore;
  for await (const chunk of source) yield chunk as Buffer;
  yield partAfter;
}

const contentIdShape = /^[A-Za-z0-9]{20,128}$/;

/**
 * Sends a file to a pinning service.
 * @returns the CID that the service returned
 * @throws TaskFailure if a retry would fail the same way, for example with wrong credentials; RemoteFailure
 * otherwise
 */
export async function pinFile(
  job: TaskJob,
  credentials: PinningCredentials,
  file: FileToPost,
): Promise<string> {
  const answer = await postFile(job, {
    service: 'the pinning service',
    isOwnNode: false,
    url: `${job.ctx.settings.ipfsPinningUrl}/pinning/pinFileToIPFS`,
    headers: credentialHeaders(credentials),
    fields: {
      pinataOptions: { cidVersion: 1 },
      pinataMetadata: { name: file.name, keyvalues: { createdBy: 'headwater' } },
    },
    file,
  });
  const { IpfsHash: cid } = parseFields(answer);
  if (typeof cid === 'string' && contentIdShape.test(cid)) return cid;
  throw new TaskFailure('the pinning service did not say where the file is');
}

/**
 * Adds a file to the operator's Kubo node, and pins it.
 * @param cid returns the expected identifier: the node gets the same chunking options
 * @throws ServiceFault if the node fails or returns another identifier
 */
export async function addToNode(
  job: TaskJob,
  apiUrl: string,
  { file, cid }: { readonly file: FileToPost; readonly cid: () => Promise<string> },
): Promise<void> {
  const options = 'cid-version=1&raw-leaves=true&chunker=size-262144&pin=true&progress=false';
  const answer = await postFile(job, {
    service: 'the IPFS node',
    isOwnNode: true,
    url: `${apiUrl}/api/v0/add?${options}`,
    headers: {},
    fields: {},
    file,
  });
  // The answer has one JSON line per file; an error after the headers is a line as well.
  const { Hash: nodeCid, Message: error } = parseFields(answer.trim().split('\n').at(-1) ?? '');
  if (typeof nodeCid !== 'string') {
    const nodeError = typeof error === 'string' ? `: ${error.slice(0, 200)}` : '';
    throw new ServiceFault(`the IPFS node did not add the file${nodeError}`);
  }
  const ownCid = await cid();
  if (nodeCid === ownCid) return;
  throw new ServiceFault(
    `the IPFS node calls the file ${nodeCid.slice(0, 128)}, but its bytes are ${ownCid}`,
  );
}

function parseFields(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Headers with the credentials: generic names, and those of Pinata. */
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
