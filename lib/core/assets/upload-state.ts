import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';
import type { AcceptedMedia } from '../media/media-rules';

/**
 * The phases of an upload by a browser. `queued`: the upload waits for a slot. `uploading`: bytes are sent, or the last
 * bytes are being checked. `paused`: the user paused the upload. `detached`: the page was reloaded and needs the file
 * again. `elsewhere`: another tab sends the file. `processing`: the service has every byte. `broken`: sending failed,
 * and can be retried. `ready` and `failed` are final.
 *
 * `taken`: the upload got a slot. `resumed`: the user resumed the upload, with the file. `handed_over`: the tab that sent
 * the file was closed. `taken_elsewhere`: the user selected the file in another tab. `received`: every byte was accepted.
 * `interrupted`: the network or the server failed. `rejected`: the service rejected the file. `completed`: the task has
 * succeeded.
 */
export const uploadMachine = defineMachine({
  states: [
    'queued',
    'uploading',
    'paused',
    'detached',
    'elsewhere',
    'processing',
    'broken',
    'ready',
    'failed',
  ],
  events: {
    taken: { queued: 'uploading' },
    paused: { queued: 'paused', uploading: 'paused' },
    resumed: { paused: 'queued', detached: 'queued', broken: 'queued' },
    handed_over: { elsewhere: 'detached' },
    taken_elsewhere: { detached: 'elsewhere' },
    received: { uploading: 'processing', elsewhere: 'processing' },
    interrupted: { uploading: 'broken' },
    rejected: { uploading: 'failed', processing: 'failed' },
    completed: { processing: 'ready' },
  },
});
export type UploadPhase = StateOf<typeof uploadMachine>;
export type UploadEvent = EventOf<typeof uploadMachine>;

/** Whether the phase is final. */
export const isFinalUploadPhase = (phase: UploadPhase): boolean => phase === 'ready' || phase === 'failed';

/** Whether some bytes of the upload have not been sent. */
export const isUnsentUpload = (phase: UploadPhase): boolean =>
  phase !== 'processing' && !isFinalUploadPhase(phase);

interface UploadBytes {
  readonly phase: UploadPhase;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Number of bytes sent. */
  readonly sent: number;
}

/** Maximum number of concurrent uploads of a browser. More uploads would only divide the same bandwidth. */
export const MAX_CONCURRENT_UPLOADS = 3;

/** The queued uploads that get a slot now, in the order of the list. */
export function selectUploadsToStart<T extends { readonly phase: UploadPhase }>(uploads: readonly T[]): T[] {
  const runningCount = uploads.filter(({ phase }) => phase === 'uploading').length;
  return uploads
    .filter(({ phase }) => phase === 'queued')
    .slice(0, Math.max(0, MAX_CONCURRENT_UPLOADS - runningCount));
}

export interface UploadTotals {
  /** Sent fraction of the bytes of all uploads that have not failed, 0 to 1. */
  readonly progress: number;
  /** Number of uploads with bytes that have not been sent. */
  readonly unsentCount: number;
  /** Number of uploads that wait for a slot or are sent, by this or another tab. */
  readonly uploadingCount: number;
  readonly processingCount: number;
  /** Number of uploads that wait for the user: broken, paused or detached. */
  readonly stoppedCount: number;
  readonly readyCount: number;
  readonly failedCount: number;
}

/** The combined progress of all uploads. */
export function uploadTotals(uploads: readonly UploadBytes[]): UploadTotals {
  const countIn = (...phases: UploadPhase[]) => uploads.filter(({ phase }) => phases.includes(phase)).length;
  const countedUploads = uploads.filter(({ phase }) => phase !== 'failed');
  const totalBytes = countedUploads.reduce((sum, upload) => sum + upload.size, 0);
  const totalSentBytes = countedUploads.reduce(
    (sum, upload) => sum + (isUnsentUpload(upload.phase) ? upload.sent : upload.size),
    0,
  );
  return {
    progress: totalBytes === 0 ? 0 : Math.min(1, totalSentBytes / totalBytes),
    unsentCount: uploads.filter(({ phase }) => isUnsentUpload(phase)).length,
    uploadingCount: countIn('queued', 'uploading', 'elsewhere'),
    processingCount: countIn('processing'),
    stoppedCount: countIn('broken', 'paused', 'detached'),
    readyCount: countIn('ready'),
    failedCount: countIn('failed'),
  };
}

interface FileFacts {
  readonly name: string;
  readonly size: number;
  /** Unix milliseconds. */
  readonly lastModified: number;
}

/** Whether a selected file is the file of the upload. Resuming with another file would corrupt the asset. */
export function isSameFile(upload: FileFacts, file: FileFacts): boolean {
  return upload.name === file.name && upload.size === file.size && upload.lastModified === file.lastModified;
}

const videoExtensions = /\.(mp4|m4v|mov|mkv|webm|avi|mpe?g|ts|mts|m2ts|flv|wmv|3gp|ogv)$/i;

/** Extensions of containers other than MP4 and MOV, which share one box format. */
const otherContainerExtensions = /\.(mkv|webm|avi|mpe?g|ts|mts|m2ts|flv|wmv|ogv)$/i;

const audioExtensions = /\.(mp3|m4a|aac|wav|flac|og[ga]|opus)$/i;

export type FileRejection = 'notVideo' | 'notMp4' | 'notMedia' | 'empty';

/**
 * Why a file can't be uploaded; null if it can. This check by name and type only avoids useless uploads: the service checks
 * the content.
 */
export function fileRejection(
  file: { readonly name: string; readonly size: number; readonly type: string },
  acceptedMedia: AcceptedMedia,
): FileRejection | null {
  const isVideo = file.type.startsWith('video/') || videoExtensions.test(file.name);
  const isAudio = file.type.startsWith('audio/') || audioExtensions.test(file.name);
  if (!isVideo && acceptedMedia === 'mp4') return 'notVideo';
  if (acceptedMedia === 'mp4' && otherContainerExtensions.test(file.name)) return 'notMp4';
  if (!isVideo && !isAudio) return 'notMedia';
  return file.size === 0 ? 'empty' : null;
}

/** Maximum length of an asset name in the API. */
const MAX_NAME_LENGTH = 500;

/** The name of an asset for an uploaded file: the file name without its extension. */
export function assetNameOfFile(fileName: string): string {
  const title = fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '').trim();
  return (title === '' ? fileName : title).slice(0, MAX_NAME_LENGTH) || 'Untitled';
}
