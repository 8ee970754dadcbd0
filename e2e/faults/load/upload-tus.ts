import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage';
import { reasonOf } from './api-client';
import { requestUpload } from './upload';

const attempts = 150;
const timeoutMs = 30_000;
const version = { 'tus-resumable': '1.0.0' };

/** State of a resumable upload. */
interface Position {
  location: string | null;
  offset: number;
  acknowledgedBytes: number;
}

/**
 * Uploads one file with tus 1.0 and resumes after every error. It does not use a client library, because it checks that
 * the service never loses an acknowledged offset.
 */
export async function uploadByTus(stage: Stage): Promise<void> {
  const { api, journal, random, ledger } = stage;
  const upload = await requestUpload(stage, 'tus', random.between(50, 1_400));
  if (!upload) return;
  const { entry, tusEndpoint, data } = upload;
  const position: Position = { location: null, offset: 0, acknowledgedBytes: 0 };
  const log: string[] = [];
  for (let attempt = 1; attempt <= attempts && position.acknowledgedBytes < data.length; attempt += 1) {
    try {
      await sendMore(stage, tusEndpoint, data, position);
      await sleep(random.between(50, 300));
    } catch (error) {
      if (error instanceof RejectedError) {
        journal.problem('a valid file was rejected', entry.id, { message: error.message, log });
        return;
      }
      log.push(error instanceof UnexpectedStatus ? error.message : reasonOf(error));
      await sleep(1_000);
      await findOffset(stage, entry.id, position).catch((reason: unknown) => log.push(reasonOf(reason)));
    }
  }
  if (position.acknowledgedBytes < data.length) {
    journal.problem('an upload was never accepted', entry.id, { position, log });
    return;
  }
  entry.acknowledged = true;
  ledger.markChanged(entry);
  api.counters.resumableUploads += 1;
  await sleep(random.between(300, 2_500));
}

class RejectedError extends Error {}
class UnexpectedStatus extends Error {}

async function sendMore({ random }: Stage, endpoint: string, data: Buffer, at: Position): Promise<void> {
  if (at.location === null) {
    const headers = { ...version, 'upload-length': String(data.length) };
    const response = await fetch(endpoint, {
      method: 'POST',
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.arrayBuffer();
    if (response.status !== 201) throw new UnexpectedStatus(`POST ${response.status}`);
    Object.assign(at, { location: response.headers.get('location'), offset: 0, acknowledgedBytes: 0 });
    return;
  }
  const end = Math.min(data.length, at.offset + 131_072 + Math.floor(random.between(0, 262_144)));
  const response = await fetch(at.location, {
    method: 'PATCH',
    headers: {
      ...version,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(at.offset),
    },
    body: new Uint8Array(data.subarray(at.offset, end)),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const message = await response.text();
  if (response.status === 422) throw new RejectedError(message);
  if (response.status !== 204) throw new UnexpectedStatus(`PATCH ${response.status}`);
  at.offset = Number(response.headers.get('upload-offset'));
  at.acknowledgedBytes = at.offset;
}

async function findOffset({ journal }: Stage, assetId: string, at: Position): Promise<void> {
  if (at.location === null) return;
  const response = await fetch(at.location, {
    method: 'HEAD',
    headers: version,
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status === 200) {
    at.offset = Number(response.headers.get('upload-offset'));
    if (at.offset < at.acknowledgedBytes)
      journal.problem('an acknowledged upload offset was lost', assetId, { ...at });
    at.acknowledgedBytes = Math.max(at.acknowledgedBytes, at.offset);
  } else if (response.status === 404 || response.status === 410) {
    if (at.acknowledgedBytes > 0)
      journal.problem('an upload with acknowledged bytes is missing', assetId, { ...at });
    at.location = null;
  }
}
