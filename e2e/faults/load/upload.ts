import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { AssetEntry } from '../ledger';
import type { Stage } from '../stage';
import { sha256 } from './remote-servers';

const requestedUpload = z.object({
  url: z.string(),
  tusEndpoint: z.string(),
  asset: z.object({ id: z.string() }),
});

const putAttempts = 80;
const putTimeoutMs = 60_000;
/** Delay between the chunks of an upload, so that faults happen during uploads. */
const chunkMs = 100;

interface RequestedUpload {
  readonly entry: AssetEntry;
  readonly url: string;
  readonly tusEndpoint: string;
  readonly data: Buffer;
}

/** Requests upload URLs. @returns null after a problem */
export async function requestUpload(
  { api, ledger, media }: Stage,
  origin: 'put' | 'tus',
  kilobytes: number,
): Promise<RequestedUpload | null> {
  const data = media.uniqueFile(kilobytes);
  const digest = sha256(data);
  const name = `${origin}-${digest.slice(0, 12)}`;
  const answer = await api.write('POST', '/api/asset/request-upload', { name }, [200]);
  if (!answer) return null;
  const { asset, url, tusEndpoint } = requestedUpload.parse(answer.json);
  const entry: AssetEntry = { id: asset.id, name, origin, sha256: digest, acknowledged: false };
  ledger.addAsset(entry);
  return { entry, url, tusEndpoint, data };
}

/** Uploads one file with PUT, and starts over after every error. */
export async function uploadByPut(stage: Stage): Promise<void> {
  const { api, journal, random, ledger } = stage;
  const upload = await requestUpload(stage, 'put', random.between(50, 900));
  if (!upload) return;
  const { entry, url, data } = upload;
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= putAttempts && !entry.acknowledged; attempt += 1) {
    const answer = await putSlowly(url, data, random.between(800, 4_000));
    statuses.push(answer.status);
    // An attempt whose response was lost may have succeeded, after which the URL is no longer valid.
    const isUsed = (answer.status === 404 || answer.status === 422) && statuses.includes(0);
    if (answer.status === 200 || isUsed) {
      entry.acknowledged = true;
      ledger.markChanged(entry);
      api.counters.uploads += 1;
    } else if (answer.status === 404 || answer.status === 422) {
      journal.problem('a valid file was rejected', entry.id, { ...answer, statuses });
      return;
    } else {
      journal.incident(`upload: status ${answer.status}`, { id: entry.id });
      await sleep(1_000);
    }
  }
  if (!entry.acknowledged) journal.problem('an upload was never accepted', entry.id, { statuses });
  await sleep(random.between(300, 2_500));
}

/** @returns status 0 if there was no response */
async function putSlowly(
  url: string,
  data: Buffer,
  ms: number,
): Promise<{ status: number; message: string }> {
  const headers = { 'content-type': 'video/mp4', 'content-length': data.length };
  const sending = request(url, { method: 'PUT', headers, signal: AbortSignal.timeout(putTimeoutMs) });
  try {
    const whenResponded = once(sending, 'response') as Promise<
      [NodeJS.ReadableStream & { statusCode: number }]
    >;
    // A response before the end of the body closes the connection, so ignore errors of sending.
    const sent = pipeline(Readable.from(slowly(data, ms)), sending).catch(() => undefined);
    const [response] = await whenResponded;
    const message = await text(response);
    await sent;
    return { status: response.statusCode, message: message.slice(0, 300) };
  } catch {
    return { status: 0, message: '' };
  } finally {
    sending.destroy();
  }
}

async function* slowly(data: Buffer, ms: number): AsyncGenerator<Buffer> {
  const step = Math.max(16_384, Math.ceil(data.length / (ms / chunkMs)));
  for (let at = 0; at < data.length; at += step) {
    yield data.subarray(at, at + step);
    await sleep(chunkMs);
  }
}
