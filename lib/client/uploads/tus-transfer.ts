import { DetailedError, Upload, defaultOptions } from 'tus-js-client';
import { serverMessagesIn, type ServerMessage } from '@/lib/client/server-messages';

/** A transfer error without a message of the service. `status` is the HTTP status, 0 without a response. */
export interface TransferFault {
  readonly fault: 'connectionLost' | 'serverBusy' | 'expired' | 'rejected' | 'pageIncomplete';
  readonly status: number;
}

/** Why a transfer ended: a message of this page or of the service, or an error that the page noticed. */
export type TransferReason = string | ServerMessage | TransferFault;

type TransferEnd = 'interrupted' | 'expired' | 'rejected';

export interface TransferEvents {
  /** @param bytes sent so far, acknowledged or not */
  onProgress: (bytes: number) => void;
  onReceived: () => void;
  /** `expired`: the URL no longer works. `rejected`: the service rejects this file. */
  onEnd: (end: TransferEnd, reason: TransferReason) => void;
}

export interface Transfer {
  /** Stops the transfer. The bytes sent so far stay on the server, unless `deleteUpload` is set. */
  stop(deleteUpload: boolean): void;
}

/** Sends a file to an upload URL and resumes an earlier upload of the same task. */
export type StartTransfer = (
  file: File,
  taskId: string,
  endpoint: string,
  events: TransferEvents,
) => Transfer;

/** Bytes per request, below the usual limits of proxies. */
const CHUNK_BYTES = 64 * 1024 * 1024;
/** Delays of the retries in milliseconds, about a minute in total. After that, the user decides. */
const retryDelaysMs = [0, 1_000, 3_000, 5_000, 10_000, 20_000, 20_000];

/** Name under which tus-js-client stores the URL of an upload. */
const fingerprintOf = (taskId: string) => `headwater-${taskId}`;

/** Uploads with tus. The library stores upload URLs under the task id. */
export const startTusTransfer: StartTransfer = (file, taskId, endpoint, events) => {
  let isStopped = false;
  const upload = new Upload(file, {
    endpoint,
    chunkSize: CHUNK_BYTES,
    retryDelays: retryDelaysMs,
    metadata: { filename: file.name, filetype: file.type },
    fingerprint: () => Promise.resolve(fingerprintOf(taskId)),
    removeFingerprintOnSuccess: true,
    onProgress: (sentBytes) => !isStopped && events.onProgress(sentBytes),
    onSuccess: () => !isStopped && events.onReceived(),
    onError: (error) => {
      if (isStopped) return;
      const { end, reason } = explainError(error);
      events.onEnd(end, reason);
    },
    onShouldRetry: (error) => explainError(error).end === 'interrupted',
  });
  void upload
    .findPreviousUploads()
    .catch(() => [])
    .then(([previousUpload]) => {
      if (isStopped) return;
      if (previousUpload) upload.resumeFromPreviousUpload(previousUpload);
      upload.start();
    });
  return {
    stop(deleteUpload) {
      isStopped = true;
      // If the network is down, the upload is not deleted now but expires on the server.
      void upload.abort(deleteUpload).catch(() => undefined);
    },
  };
};

/** Deletes the browser's record of an abandoned upload. */
export async function deleteTusRecord(taskId: string): Promise<void> {
  const { urlStorage } = defaultOptions;
  const previousUploads = await urlStorage.findUploadsByFingerprint(fingerprintOf(taskId));
  await Promise.all(previousUploads.map(({ urlStorageKey }) => urlStorage.removeUpload(urlStorageKey)));
}

/** Statuses after which the same request may succeed: the upload is locked, or the client is rate limited. */
const retryableStatuses = [408, 409, 423, 425, 429];

/** How an error ends a transfer, and the reason that the user sees. */
function explainError(error: Error): { end: TransferEnd; reason: TransferReason } {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  const status = response?.getStatus() ?? 0;
  if (status === 0) return { end: 'interrupted', reason: { fault: 'connectionLost', status } };
  const responseText = serverMessageOf(response?.getBody() ?? '');
  if (status >= 500 || retryableStatuses.includes(status)) {
    return { end: 'interrupted', reason: responseText ?? { fault: 'serverBusy', status } };
  }
  if (status === 403 || status === 404 || status === 410) {
    return { end: 'expired', reason: { fault: 'expired', status } };
  }
  return { end: 'rejected', reason: responseText ?? { fault: 'rejected', status } };
}

function serverMessageOf(body: string): ServerMessage | null {
  try {
    return serverMessagesIn(JSON.parse(body))[0] ?? null;
  } catch {
    return null;
  }
}
