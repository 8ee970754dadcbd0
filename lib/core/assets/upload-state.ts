import { defineMachine, type EventOf, type StateOf } from '@/lib/core/state-machine';
import type { AcceptedMedia } from '../media/media-rules';

/**
 * One file on its way from a browser to an asset.
 * `queued`: waiting for a slot. `uploading`: bytes are sent, or the last ones are being checked. `paused`: by the user.
 * `detached`: the page was reloaded and needs the file again. `elsewhere`: another tab sends it. `processing`: the
 * service has every byte. `broken`: can be retried. `ready` and `failed` are final.
 *
 * `taken`: it got a slot. `resumed`: by the user, with the file. `handed_over`: the other tab was closed.
 * `taken_elsewhere`: another tab was given the file. `received`: every byte was accepted. `interrupted`: network or
 * server. `refused`: for good. `completed`: the task has ended well.
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
    refused: { uploading: 'failed', processing: 'failed' },
    completed: { processing: 'ready' },
  },
});
export type UploadPhase = StateOf<typeof uploadMachine>;
export type UploadEvent = EventOf<typeof uploadMachine>;

/** Nothing more will happen to it. */
export const isSettledUpload = (phase: UploadPhase): boolean => phase === 'ready' || phase === 'failed';

/** Bytes of it are still to be sent. */
export const isUnsentUpload = (phase: UploadPhase): boolean =>
  phase !== 'processing' && !isSettledUpload(phase);

interface Sent {
  readonly phase: UploadPhase;
  /** Bytes. */
  readonly size: number;
  readonly sent: number;
}

/** Files sent at the same time: more of them would only share the same bandwidth. */
export const uploadsAtOnce = 3;

/** The uploads that get a slot now, the oldest first. */
export function uploadsToTake<T extends { readonly phase: UploadPhase }>(uploads: readonly T[]): T[] {
  const running = uploads.filter(({ phase }) => phase === 'uploading').length;
  return uploads.filter(({ phase }) => phase === 'queued').slice(0, Math.max(0, uploadsAtOnce - running));
}

export interface UploadTotals {
  /** 0 to 1, of the bytes of everything that has not failed. */
  readonly progress: number;
  readonly unsent: number;
  readonly uploading: number;
  readonly processing: number;
  /** Waiting for the user: broken, paused or without their file. */
  readonly stopped: number;
  readonly ready: number;
  readonly failed: number;
}

/** All uploads as one. */
export function uploadTotals(uploads: readonly Sent[]): UploadTotals {
  const count = (...phases: UploadPhase[]) => uploads.filter(({ phase }) => phases.includes(phase)).length;
  const countedUploads = uploads.filter(({ phase }) => phase !== 'failed');
  const size = countedUploads.reduce((sum, each) => sum + each.size, 0);
  const sentTotal = countedUploads.reduce(
    (sum, each) => sum + (isUnsentUpload(each.phase) ? each.sent : each.size),
    0,
  );
  return {
    progress: size === 0 ? 0 : Math.min(1, sentTotal / size),
    unsent: uploads.filter(({ phase }) => isUnsentUpload(phase)).length,
    uploading: count('queued', 'uploading', 'elsewhere'),
    processing: count('processing'),
    stopped: count('broken', 'paused', 'detached'),
    ready: count('ready'),
    failed: count('failed'),
  };
}

interface FileFacts {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
}

/** Whether this is the file the upload started with: resuming with another one would corrupt it. */
export function isSameFile(upload: FileFacts, file: FileFacts): boolean {
  return upload.name === file.name && upload.size === file.size && upload.lastModified === file.lastModified;
}

const videoEndings = /\.(mp4|m4v|mov|mkv|webm|avi|mpe?g|ts|mts|m2ts|flv|wmv|3gp|ogv)$/i;

/** Extensions of containers other than MP4 and MOV, which share one box format. */
const otherEndings = /\.(mkv|webm|avi|mpe?g|ts|mts|m2ts|flv|wmv|ogv)$/i;

const audioEndings = /\.(mp3|m4a|aac|wav|flac|og[ga]|opus)$/i;

/** Why a file can't be uploaded. */
export type FileRefusal = 'notVideo' | 'notMp4' | 'notMedia' | 'empty';

/** Why a file can't be uploaded, or null. The service checks its content; this avoids a useless upload. */
export function fileRefusal(
  file: { readonly name: string; readonly size: number; readonly type: string },
  accept: AcceptedMedia,
): FileRefusal | null {
  const isVideo = file.type.startsWith('video/') || videoEndings.test(file.name);
  const isAudio = file.type.startsWith('audio/') || audioEndings.test(file.name);
  if (!isVideo && accept === 'mp4') return 'notVideo';
  if (accept === 'mp4' && otherEndings.test(file.name)) return 'notMp4';
  if (!isVideo && !isAudio) return 'notMedia';
  return file.size === 0 ? 'empty' : null;
}

/** The name of the asset that a file becomes: without folder and ending. */
export function titleOfFile(fileName: string): string {
  const title = fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '').trim();
  return (title === '' ? fileName : title).slice(0, 500) || 'Untitled';
}
