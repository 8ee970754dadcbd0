import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage';
import { describeError } from './api-client';
import { requestUpload } from './upload';

const MAX_ATTEMPTS = 150;
const TIMEOUT_MS = 30_000;
const versionHeader = { 'tus-resumable': '1.0.0' };

/** State of a resumable upload. */
interface UploadState {
  /** URL of the upload; null before it is created. */
  location: string | null;
  /** Number of bytes that the service has, as it last said. */
  offset: number;
  /** Highest offset that the service has acknowledged. */
  acknowledgedBytes: number;
}

/**
 * Uploads one file with tus 1.0 and resumes after every error. The upload does not use a client library, because it checks
 * that the service never loses an acknowledged offset.
 */
export async function uploadByTus(stage: Stage): Promise<void> {
  const { api, journal, random, ledger } = stage;
  const upload = await requestUpload(stage, 'tus', random.between(50, 1_400));
  if (!upload) return;
  const { entry, tusEndpoint, data } = upload;
  const uploadState: UploadState = { location: null, offset: 0, acknowledgedBytes: 0 };
  const errors: string[] = [];
  for (
    let attempt = 1;
    attempt <= MAX_ATTEMPTS && uploadState.acknowledgedBytes < data.length;
    attempt += 1
  ) {
    try {
      await createOrSendChunk(stage, tusEndpoint, data, uploadState);
      await sleep(random.between(50, 300));
    } catch (error) {
      if (error instanceof RejectedError) {
        journal.reportProblem('a valid file was rejected', entry.id, { message: error.message, errors });
        return;
      }
      errors.push(error instanceof UnexpectedStatusError ? error.message : describeError(error));
      await sleep(1_000);
      await readOffset(stage, entry.id, uploadState).catch((reason: unknown) =>
        errors.push(describeError(reason)),
      );
    }
  }
  if (uploadState.acknowledgedBytes < data.length) {
    journal.reportProblem('an upload was never accepted', entry.id, { position: uploadState, errors });
    return;
  }
  entry.acknowledged = true;
  ledger.writeChange(entry);
  api.counters.resumableUploads += 1;
  await sleep(random.between(300, 2_500));
}

class RejectedError extends Error {}
class UnexpectedStatusError extends Error {}

async function createOrSendChunk(
  { random }: Stage,
  endpoint: string,
  data: Buffer,
  uploadState: UploadState,
): Promise<void> {
  if (uploadState.location === null) {
    const headers = { ...versionHeader, 'upload-length': String(data.length) };
    const response = await fetch(endpoint, {
      method: 'POST',
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.arrayBuffer();
    if (response.status !== 201) throw new UnexpectedStatusError(`POST ${response.status}`);
    Object.assign(uploadState, {
      location: response.headers.get('location'),
      offset: 0,
      acknowledgedBytes: 0,
    });
    return;
  }
  const end = Math.min(data.length, uploadState.offset + 131_072 + Math.floor(random.between(0, 262_144)));
  const response = await fetch(uploadState.location, {
    method: 'PATCH',
    headers: {
      ...versionHeader,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(uploadState.offset),
    },
    body: new Uint8Array(data.subarray(uploadState.offset, end)),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const message = await response.text();
  if (response.status === 422) throw new RejectedError(message);
  if (response.status !== 204) throw new UnexpectedStatusError(`PATCH ${response.status}`);
  uploadState.offset = Number(response.headers.get('upload-offset'));
  uploadState.acknowledgedBytes = uploadState.offset;
}

async function readOffset({ journal }: Stage, assetId: string, uploadState: UploadState): Promise<void> {
  if (uploadState.location === null) return;
  const response = await fetch(uploadState.location, {
    method: 'HEAD',
    headers: versionHeader,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status === 200) {
    uploadState.offset = Number(response.headers.get('upload-offset'));
    if (uploadState.offset < uploadState.acknowledgedBytes)
      journal.reportProblem('an acknowledged upload offset was lost', assetId, { ...uploadState });
    uploadState.acknowledgedBytes = Math.max(uploadState.acknowledgedBytes, uploadState.offset);
  } else if (response.status === 404 || response.status === 410) {
    if (uploadState.acknowledgedBytes > 0)
      journal.reportProblem('an upload with acknowledged bytes is missing', assetId, { ...uploadState });
    uploadState.location = null;
  }
}
