import { masterPlaylist, type PlaylistRendition } from '@/lib/core/playlist-master';
import { recordingPlaylist } from '@/lib/core/playlist-recording';
import { hlsFolder } from '@/lib/core/recorded-segment';
import { cellOf, type Cell, type RecordingTimeline } from '@/lib/core/recording-timeline';
import { lengthOf, type StoredRecording } from './stored-recording';

/** Name in the recording's prefix and text of every playlist; the master playlist, which names the others, is last. */
export function recordingPlaylists(stored: StoredRecording, timeline: RecordingTimeline): [string, string][] {
  const media = timeline.folders.map((folder): [string, string] => [
    `${hlsFolder}${folder}/index.m3u8`,
    recordingPlaylist(timeline, folder),
  ]);
  const offered = timeline.folders.map((folder) => factsOf(stored, timeline, folder));
  return [...media, [`${hlsFolder}index.m3u8`, masterPlaylist(offered)]];
}

/** Measured on what the rendition plays, where it plays the source too. */
function factsOf(stored: StoredRecording, { rows }: RecordingTimeline, folder: string): PlaylistRendition {
  const cells = rows.map((row) => cellOf(row, folder));
  const own = cells.filter((cell) => cell.folder === folder);
  const periods = [...new Set(cells.map((cell) => `${cell.folder}/${cell.period}`))].flatMap(
    (name) => stored.periods.get(name) ?? [],
  );
  const ownPeriods = [...new Set(own.map((cell) => `${folder}/${cell.period}`))].flatMap(
    (name) => stored.periods.get(name) ?? [],
  );
  const bytesOf = (cell: Cell) => lengthOf(stored, cell);
  const longest = Math.max(...own.map(({ durationMs }) => durationMs));
  const rates = own
    .filter(({ durationMs }) => durationMs >= longest / 2)
    .map((cell) => (bytesOf(cell) * 8_000) / Math.max(1, cell.durationMs));
  const total = own.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const pictures = ownPeriods.flatMap(({ resolution }) => resolution ?? []);
  const frameRates = ownPeriods.flatMap(({ frameRate }) => frameRate ?? []);
  return {
    uri: `${folder}/index.m3u8`,
    bandwidth: maximum(rates),
    averageBandwidth: (own.reduce((sum, cell) => sum + bytesOf(cell), 0) * 8_000) / Math.max(1, total),
    // Whatever any of its segments needs (RFC 8216 §4.3.4.2), in the order video, audio.
    codecs: [...new Set(periods.flatMap(({ codecs }) => codecs))].toSorted(videoFirst),
    resolution: pictures.toSorted((a, b) => b.height - a.height)[0],
    frameRate: frameRates.length > 0 ? maximum(frameRates) : undefined,
    independent: cells.every(({ independent }) => independent),
  };
}

const videoFirst = (a: string, b: string): number =>
  Number(b.startsWith('avc')) - Number(a.startsWith('avc'));

/** Of any number of values: spreading them would end at a hundred thousand. */
const maximum = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), 0);
