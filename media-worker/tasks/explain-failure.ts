import { StorageError } from '@/lib/infra/storage';
import type { TaskInterruption } from '@/lib/tasks';
import { FfmpegFailed } from '../ffmpeg/run-ffmpeg-job';
import { RemoteFailure } from './task-job';

/**
 * Whose fault an error is that ended a run, and what a person can be told about it; the log has the rest. Two kinds are
 * attempts that did not succeed: another server said no, or ffmpeg ran to its end and could not do it. Everything else
 * is a fault of ours: database, storage, disk, a program that was killed, a mistake in the code.
 */
export function explainFailure(error: unknown): TaskInterruption {
  if (error instanceof RemoteFailure) return { cause: 'attempt', reason: error.userMessage };
  if (error instanceof FfmpegFailed) return { cause: 'attempt', reason: 'the video could not be processed' };
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
