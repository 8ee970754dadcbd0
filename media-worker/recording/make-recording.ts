import { type PlaylistRendition, formatMasterPlaylist } from '@/lib/core/hls/playlist';
import { hlsFolder, mp4File } from '@/lib/core/sessions/recorded-segment';
import {
  type Cell,
  type Gap,
  type RecordingTimeline,
  cellOf,
  formatRecordingPlaylist,
  createRecordingTimeline,
} from '@/lib/core/sessions/recording-timeline';
import { recordingKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { planMp4 } from './recording-mp4';
import { type StoredRecording, lengthOf, readStoredRecording, containsAddedAudio } from './stored-recording';

/** Name and text of every playlist of a recording. The master playlist is last, because it refers to the others. */
function buildRecordingPlaylists(
  recording: StoredRecording,
  timeline: RecordingTimeline,
  ended = true,
): [string, string][] {
  const mediaPlaylists = timeline.folders.map((folder): [string, string] => [
    `${hlsFolder}${folder}/index.m3u8`,
    formatRecordingPlaylist(timeline, folder, { ended }),
  ]);
  const renditions = timeline.folders.map((folder) => factsOf(recording, timeline, folder));
  return [...mediaPlaylists, [`${hlsFolder}index.m3u8`, formatMasterPlaylist(renditions)]];
}

/**
 * Playlists of the stored part of a session, by name below its `hls` folder; undefined if nothing is stored.
 * @param ended whether the session is known to be over
 */
export async function readUnfinishedPlaylists(
  storage: Pick<StorageDriver, 'list' | 'read' | 'head'>,
  sessionId: string,
  ended: boolean,
): Promise<ReadonlyMap<string, string> | undefined> {
  const recording = await readStoredRecording(storage, sessionId);
  const timeline = createRecordingTimeline(recording.renditions);
  if (timeline.rows.length === 0) return undefined;
  return new Map(
    buildRecordingPlaylists(recording, timeline, ended).map(([file, text]) => [
      file.slice(hlsFolder.length),
      text,
    ]),
  );
}

/**
 * The facts of a rendition for the master playlist. Bitrates are measured over the segments that the rendition
 * itself has.
 */
function factsOf(recording: StoredRecording, { rows }: RecordingTimeline, folder: string): PlaylistRendition {
  const cells = rows.map((row) => cellOf(row, folder));
  const folderCells = cells.filter((cell) => cell.folder === folder);
  const periods = [...new Set(cells.map((cell) => `${cell.folder}/${cell.period}`))].flatMap(
    (name) => recording.periods.get(name) ?? [],
  );
  const ownPeriods = [...new Set(folderCells.map((cell) => `${folder}/${cell.period}`))].flatMap(
    (name) => recording.periods.get(name) ?? [],
  );
  const bytesOf = (cell: Cell) => lengthOf(recording, cell);
  const longestMs = Math.max(...folderCells.map(({ durationMs }) => durationMs));
  const rates = folderCells
    .filter(({ durationMs }) => durationMs >= longestMs / 2)
    .map((cell) => (bytesOf(cell) * 8_000) / Math.max(1, cell.durationMs));
  const totalMs = folderCells.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const resolutions = ownPeriods.flatMap(({ resolution }) => resolution ?? []);
  const frameRates = ownPeriods.flatMap(({ frameRate }) => frameRate ?? []);
  return {
    uri: `${folder}/index.m3u8`,
    bandwidth: maxOf(rates),
    averageBandwidth:
      (folderCells.reduce((sum, cell) => sum + bytesOf(cell), 0) * 8_000) / Math.max(1, totalMs),
    // Codecs of all segments (RFC 8216 §4.3.4.2), in the order video, audio.
    codecs: [...new Set(periods.flatMap(({ codecs }) => codecs))].toSorted(videoFirst),
    resolution: resolutions.toSorted((a, b) => b.width * b.height - a.width * a.height)[0],
    frameRate: frameRates.length > 0 ? maxOf(frameRates) : undefined,
    videoRange: ownPeriods.find(({ videoRange }) => videoRange)?.videoRange,
    independent: cells.every(({ independent }) => independent),
  };
}

const videoFirst = (a: string, b: string): number =>
  Number(a.startsWith('mp4a')) - Number(b.startsWith('mp4a'));

/** Maximum of any number of values. `Math.max` with a spread fails at about a hundred thousand values. */
const maxOf = (values: readonly number[]): number => values.reduce((max, value) => Math.max(max, value), 0);

interface MakeRecordingOptions {
  readonly storage: StorageDriver;
  readonly signal: AbortSignal;
}

/** Thrown when a recording cannot be made. `final`: a retry would not help. */
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
 * Makes the playlists and the MP4 of all stored segments of one session. A second run gives the same files. Each
 * file is stored as a whole, so a crash leaves no incomplete file.
 * @throws RecordingError with a message for the owner, or the error of the storage
 */
export async function makeRecording(
  sessionId: string,
  { storage, signal }: MakeRecordingOptions,
): Promise<{ readonly gaps: readonly Gap[] } & Pick<StoredRecording, 'unreadable'>> {
  const recording = await readStoredRecording(storage, sessionId);
  const timeline = createRecordingTimeline(recording.renditions);
  if (timeline.rows.length === 0) throw new RecordingError('No media of the recording was stored.', true);
  const sources = timeline.rows.map(({ source }) => source);
  const mp4 = await planMp4(
    storage,
    sessionId,
    sources.map((cell) => ({ cell, length: lengthOf(recording, cell) })),
    {
      hasAddedAudio: containsAddedAudio(recording, sources),
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
