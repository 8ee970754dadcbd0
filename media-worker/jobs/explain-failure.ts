import { StorageError } from '@/lib/infra/storage';
import { FfmpegFailed } from '../vod/run-ffmpeg-job';

/** What a person can be told about an error that was not the file's fault; the log has the rest. */
export function explainFailure(error: unknown): string {
  if (error instanceof StorageError && error.kind === 'full')
    return 'there was no room left to store the result';
  if (error instanceof StorageError) return 'a file of this asset is missing in the storage';
  if (error instanceof FfmpegFailed) return 'the video could not be processed';
  if (error instanceof Error && 'userMessage' in error && typeof error.userMessage === 'string') {
    return error.userMessage;
  }
  return 'something went wrong while this was worked on';
}
