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

const requestedUploadSchema = z.object({
  url: z.string(),
  tusEndpoint: z.string(),
  asset: z.object({ id: z.string() }),
});

const PUT_ATTEMPTS = 80;
const PUT_TIMEOUT_MS = 60_000;
/** Delay between the chunks of an upload, so that faults happen during uploads. */
const CHUNK_INTERVAL_MS = 100;

interface RequestedUpload {
  readonly entry: AssetEntry;
  readonly url: string;
  readonly tusEndpoint: string;
  readonly data: Buffer;
}

/**
 * Requests the upload URLs of a new asset, and adds the asset to the ledger.
 * @returns null after a problem
 */
export async function requestUpload(
  { api, ledger, media }: Stage,
  origin: 'put' | 'tus',
  kilobytes: number,
): Promise<RequestedUpload | null> {
  const data = media.uniqueFile(kilobytes);
  const digest = sha256(data);
  const name = `${origin}-${digest.slice(0, 12)}`;
  const response = await api.write('POST', '/api/asset/request-upload', { name }, [200]);
  if (!response) return null;
  const { asset, url, tusEndpoint } = requestedUploadSchema.parse(response.json);
  const entry: AssetEntry = { id: asset.id, name, origin, sha256: digest, acknowledged: false };
  ledger.addAsset(entry);
  return { entry, url, tusEndpoint, data };
}

/** Uploads one file with PUT, and restarts the upload after every error. */
export async function uploadByPut(stage: Stage): Promise<void> {
  const { api, journal, random, ledger } = stage;
  const upload = await requestUpload(stage, 'put', random.between(50, 900));
  if (!upload) return;
  const { entry, url, data } = upload;
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= PUT_ATTEMPTS && !entry.acknowledged; attempt += 1) {
    const response = await putSlowly(url, data, random.between(800, 4_000));
    statuses.push(response.status);
    // The URL is invalid after an upload that has succeeded, even if its response was lost.
    const isUsed = (response.status === 404 || response.status === 422) && statuses.includes(0);
    if (response.status === 200 || isUsed) {
      entry.acknowledged = true;
      ledger.writeChange(entry);
      api.counters.uploads += 1;
    } else if (response.status === 404 || response.status === 422) {
      journal.reportProblem('a valid file was rejected', entry.id, { ...response, statuses });
      return;
    } else {
      journal.recordIncident(`upload: status ${response.status}`, { id: entry.id });
      await sleep(1_000);
    }
  }
  if (!entry.acknowledged) journal.reportProblem('an upload was never accepted', entry.id, { statuses });
  await sleep(random.between(300, 2_500));
}

/**
 * Sends a file with PUT over the given time.
 * @returns status 0 if there was no response
 */
async function putSlowly(
  url: string,
  data: Buffer,
  durationMs: number,
): Promise<{ status: number; message: string }> {
  const headers = { 'content-type': 'video/mp4', 'content-length': data.length };
  const sending = request(url, { method: 'PUT', headers, signal: AbortSignal.timeout(PUT_TIMEOUT_MS) });
  try {
    const whenResponded = once(sending, 'response') as Promise<
      [NodeJS.ReadableStream & { statusCode: number }]
    >;
    // A response before the end of the body closes the connection, so ignore errors of sending.
    const whenSent = pipeline(Readable.from(readSlowly(data, durationMs)), sending).catch(() => undefined);
    const [response] = await whenResponded;
    const message = await text(response);
    await whenSent;
    return { status: response.statusCode, message: message.slice(0, 300) };
  } catch {
    return { status: 0, message: '' };
  } finally {
    sending.destroy();
  }
}

async function* readSlowly(data: Buffer, durationMs: number): AsyncGenerator<Buffer> {
  const chunkBytes = Math.max(16_384, Math.ceil(data.length / (durationMs / CHUNK_INTERVAL_MS)));
  for (let offset = 0; offset < data.length; offset += chunkBytes) {
    yield data.subarray(offset, offset + chunkBytes);
    await sleep(CHUNK_INTERVAL_MS);
  }
}
