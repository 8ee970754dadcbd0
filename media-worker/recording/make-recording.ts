import { mp4File } from '@/lib/core/recorded-segment';
import { recordingTimeline, type Gap } from '@/lib/core/recording-timeline';
import { recordingKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { recordingPlaylists } from './recording-playlists';
import { planMp4 } from './recording-mp4';
import { lengthOf, readStoredRecording } from './stored-recording';

export interface MakeRecordingOptions {
  readonly storage: StorageDriver;
  readonly signal: AbortSignal;
}

/** It cannot be made: `final` when no other try would change that. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  constructor(
    message: string,
    readonly final: boolean,
  ) {
    super(message);
  }
}

/**
 * Makes playlists and MP4 of everything that was stored of one session. Doing it again gives the same files: each is
 * stored as a whole, so a crash in between leaves nothing half made.
 * @throws RecordingError with a sentence for the owner
 */
export async function makeRecording(
  sessionId: string,
  { storage, signal }: MakeRecordingOptions,
): Promise<{ readonly gaps: readonly Gap[] }> {
  const stored = await readStoredRecording(storage, sessionId);
  const timeline = recordingTimeline(stored.renditions);
  if (timeline.rows.length === 0) throw new RecordingError('Nothing of it was stored.', true);
  const mp4 = await planMp4(
    storage,
    sessionId,
    timeline.rows.map(({ source }) => ({ cell: source, length: lengthOf(stored, source) })),
    signal,
  );
  if ((await storage.room()) < mp4.bytes)
    throw new RecordingError('There is no room on the disk for its MP4.', false);
  const made = await storage.put(recordingKey(sessionId, mp4File), mp4.body(signal), {
    contentType: 'video/mp4',
    signal,
  });
  if (made.bytes !== mp4.bytes) throw new RecordingError('Its MP4 was not stored completely.', false);
  for (const [file, text] of recordingPlaylists(stored, timeline)) {
    await storage.put(recordingKey(sessionId, file), Buffer.from(text), {
      contentType: 'application/vnd.apple.mpegurl',
      signal,
    });
  }
  return { gaps: timeline.gaps };
}
