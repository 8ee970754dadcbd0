import { StorageError } from '@/lib/infra/storage';
import type { TaskInterruption } from '@/lib/domain/tasks';
import { FfmpegFailed } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { RecogniserFailed } from '@/media-worker/vod/speech/run-recogniser';
import { RemoteFailure } from './task-job';

/**
 * Classifies the error that ended a run, with a message for the user; details are in the log. An error of a remote
 * server, an ffmpeg that ran to its end and failed, or a recogniser that crashed, is a failed attempt. All other
 * errors are internal faults: database, storage, disk, a killed program, a bug.
 */
export function explainFailure(error: unknown): TaskInterruption {
  if (error instanceof RemoteFailure) return { cause: 'attempt', reason: error.userMessage };
  if (error instanceof FfmpegFailed) return { cause: 'attempt', reason: 'the video could not be processed' };
  if (error instanceof RecogniserFailed) return { cause: 'attempt', reason: 'speech recognition failed' };
  return { cause: 'service', reason: faultOf(error) };
}

function faultOf(error: unknown): string {
  if (error instanceof StorageError && error.kind === 'full')
    return 'there was no room left to store the result';
  if (error instanceof StorageError) return 'a file of this asset is missing in the storage';
  if (error instanceof Error && 'userMessage' in error && typeof error.userMessage === 'string') {
    return error.userMessage;
  }
  return 'something went wrong on this server';
}
