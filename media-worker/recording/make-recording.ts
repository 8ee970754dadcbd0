import { type PlaylistRendition, formatMasterPlaylist } from '@/lib/core/hls/playlist';
import { type RecordedPeriod, hlsFolder, mp4File } from '@/lib/core/sessions/recorded-segment';
import {
  type RenditionSegment,
  type Gap,
  type RecordingTimeline,
  playedSegment,
  formatRecordingPlaylist,
  createRecordingTimeline,
} from '@/lib/core/sessions/recording-timeline';
import { recordingKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { planMp4 } from './recording-mp4';
import {
  type StoredRecording,
  fileBytesOf,
  readStoredRecording,
  hasOnlyAddedAudio,
} from './stored-recording';

/** File name and text of every playlist of a recording. The master playlist is last, because it refers to the others. */
function buildRecordingPlaylists(
  recording: StoredRecording,
  timeline: RecordingTimeline,
  ended = true,
): [string, string][] {
  const mediaPlaylists = timeline.folders.map((folder): [string, string] => [
    `${hlsFolder}${folder}/index.m3u8`,
    formatRecordingPlaylist(timeline, folder, { ended }),
  ]);
  const renditions = timeline.folders.map((folder) => playlistRenditionOf(recording, timeline, folder));
  return [...mediaPlaylists, [`${hlsFolder}index.m3u8`, formatMasterPlaylist(renditions)]];
}

/**
 * Playlists of the stored part of a session, by name below its `hls` folder; undefined if nothing is stored.
 * @param isOver whether the session is known to be over
 */
export async function readUnfinishedPlaylists(
  storage: Pick<StorageDriver, 'list' | 'read' | 'head'>,
  sessionId: string,
  isOver: boolean,
): Promise<ReadonlyMap<string, string> | undefined> {
  const recording = await readStoredRecording(storage, sessionId);
  const timeline = createRecordingTimeline(recording.renditions);
  if (timeline.rows.length === 0) return undefined;
  return new Map(
    buildRecordingPlaylists(recording, timeline, isOver).map(([file, text]) => [
      file.slice(hlsFolder.length),
      text,
    ]),
  );
}

/**
 * The entry of a rendition in the master playlist. Where a segment of the rendition is missing, it plays the source's
 * segment; bitrates and sizes are only those of the rendition's own segments.
 */
function playlistRenditionOf(
  recording: StoredRecording,
  { rows }: RecordingTimeline,
  folder: string,
): PlaylistRendition {
  const playedSegments = rows.map((row) => playedSegment(row, folder));
  const ownSegments = playedSegments.filter((segment) => segment.folder === folder);
  const periods = periodsOf(recording, playedSegments);
  const ownPeriods = periodsOf(recording, ownSegments);
  const bytesOf = (segment: RenditionSegment) => fileBytesOf(recording, segment);
  const longestMs = Math.max(...ownSegments.map(({ durationMs }) => durationMs));
  // A short segment, as at the end of a publish, can have any bitrate.
  const bitrates = ownSegments
    .filter(({ durationMs }) => durationMs >= longestMs / 2)
    .map((segment) => (bytesOf(segment) * 8_000) / Math.max(1, segment.durationMs));
  const totalMs = ownSegments.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const resolutions = ownPeriods.flatMap(({ resolution }) => resolution ?? []);
  const frameRates = ownPeriods.flatMap(({ frameRate }) => frameRate ?? []);
  return {
    uri: `${folder}/index.m3u8`,
    bandwidth: maxOf(bitrates),
    averageBandwidth:
      (ownSegments.reduce((sum, segment) => sum + bytesOf(segment), 0) * 8_000) / Math.max(1, totalMs),
    // Codecs of all segments (RFC 8216 §4.3.4.2), in the order video, audio.
    codecs: [...new Set(periods.flatMap(({ codecs }) => codecs))].toSorted(videoFirst),
    resolution: resolutions.toSorted((a, b) => b.width * b.height - a.width * a.height)[0],
    frameRate: frameRates.length > 0 ? maxOf(frameRates) : undefined,
    videoRange: ownPeriods.find(({ videoRange }) => videoRange)?.videoRange,
    independent: playedSegments.every(({ independent }) => independent),
  };
}

/** The facts of the periods of these segments, each once. */
function periodsOf(recording: StoredRecording, segments: readonly RenditionSegment[]): RecordedPeriod[] {
  const names = new Set(segments.map(({ folder, period }) => `${folder}/${period}`));
  return [...names].flatMap((name) => recording.periods.get(name) ?? []);
}

/** Compares codec names, so that AAC follows the video. */
const videoFirst = (a: string, b: string): number =>
  Number(a.startsWith('mp4a')) - Number(b.startsWith('mp4a'));

/** Maximum of any number of values. `Math.max` with a spread fails at about a hundred thousand values. */
const maxOf = (values: readonly number[]): number => values.reduce((max, value) => Math.max(max, value), 0);

interface MakeRecordingOptions {
  readonly storage: StorageDriver;
  readonly signal: AbortSignal;
}

/** Thrown when a recording cannot be made. The message is shown to the team. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  /** @param final whether a retry would not help */
  constructor(
    message: string,
    readonly final: boolean,
  ) {
    super(message);
  }
}

/**
 * Makes the playlists and the MP4 of all stored segments of one session. A second run gives the same files. Each
 * file is stored as a whole, so a crash leaves no incomplete file.
 * @returns the gaps without media, and the names of periods that are left out because they cannot be read
 * @throws RecordingError, or the error of the storage
 */
export async function makeRecording(
  sessionId: string,
  { storage, signal }: MakeRecordingOptions,
): Promise<{ readonly gaps: readonly Gap[] } & Pick<StoredRecording, 'unreadable'>> {
  const recording = await readStoredRecording(storage, sessionId);
  const timeline = createRecordingTimeline(recording.renditions);
  if (timeline.rows.length === 0) throw new RecordingError('No media of the recording was stored.', true);
  const sourceSegments = timeline.rows.map(({ source }) => source);
  const mp4 = await planMp4(
    storage,
    sessionId,
    sourceSegments.map((segment) => ({ segment, bytes: fileBytesOf(recording, segment) })),
    {
      hasAddedAudio: hasOnlyAddedAudio(recording, sourceSegments),
      signal,
    },
  );
  if ((await storage.room()) < mp4.bytes)
    throw new RecordingError('There is not enough disk space for the MP4 of the recording.', false);
  const mp4Object = await storage.put(recordingKey(sessionId, mp4File), mp4.body(signal), {
    contentType: 'video/mp4',
    signal,
  });
  if (mp4Object.bytes !== mp4.bytes)
    throw new RecordingError('The MP4 of the recording was not stored completely.', false);
  for (const [file, text] of buildRecordingPlaylists(recording, timeline)) {
    await storage.put(recordingKey(sessionId, file), Buffer.from(text), {
      contentType: 'application/vnd.apple.mpegurl',
      signal,
    });
  }
  return { gaps: timeline.gaps, unreadable: recording.unreadable };
}
