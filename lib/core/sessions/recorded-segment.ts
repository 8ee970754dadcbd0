/**
 * Names of a session's recorded files, below its prefix in storage. The names are the only index: a segment appears once
 * it is stored completely, and its name has everything that a playlist needs, so no second record can disagree.
 */

/** One stored segment of one rendition. Times in milliseconds. */
export interface RecordedSegment {
  /** Identifies the init segment of the segment: the publish's number, and a counter if the publish had several. */
  readonly period: string;
  readonly msn: number;
  /** Start on the media timeline of the session, which all renditions share. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Wall-clock time of its first frame, Unix milliseconds. */
  readonly wallMs: number;
  readonly independent: boolean;
}

/** Properties of all segments of one init segment, stored as JSON beside the init segment. */
export interface RecordedPeriod {
  /** Name of the rendition. Its folder is derived from the name and can't be converted back. */
  readonly rendition: string;
  /** RFC 6381 names, video first. */
  readonly codecs: readonly string[];
  readonly resolution?: { readonly width: number; readonly height: number };
  readonly frameRate?: number;
  /** Default: `SDR`. */
  readonly videoRange?: 'PQ' | 'HLG';
  /** Whether the audio started as silence that was added to the video. */
  readonly soundAdded?: true;
}

/** Folder of all files that playlists reference, below the recording's prefix. */
export const hlsFolder = 'hls/';
export const mp4File = 'source.mp4';
/** Folder of the source rendition. */
export const sourceFolder = 'source';

export const initFile = (folder: string, period: string): string =>
  `${hlsFolder}${folder}/init-${period}.mp4`;
export const periodFile = (folder: string, period: string): string => `stretch/${folder}/${period}.json`;
export const segmentFile = (folder: string, segment: RecordedSegment): string =>
  `${hlsFolder}${folder}/${segmentName(segment)}`;

const micro = (ms: number): number => Math.round(ms * 1_000);

/** File name of the segment in the folder of its rendition. Times are in microseconds. */
export function segmentName(segment: RecordedSegment): string {
  const { period, msn, startMs, durationMs, wallMs, independent } = segment;
  const times = [micro(startMs), micro(durationMs), Math.round(wallMs)].join('_');
  return `${period}_${msn}_${times}_${independent ? 'i' : 'd'}.m4s`;
}

const grammar = /^(\d{1,15}(?:-\d{1,15})?)_(\d{1,15})_(\d{1,15})_(\d{1,12})_(\d{1,15})_([id])\.m4s$/;

/** Parses a segment name; null for other files. */
export function parseSegmentName(name: string): RecordedSegment | null {
  const match = grammar.exec(name);
  if (!match) return null;
  const [, period = '', msn, start, duration, wall, flag] = match;
  return {
    period,
    msn: Number(msn),
    startMs: Number(start) / 1_000,
    durationMs: Number(duration) / 1_000,
    wallMs: Number(wall),
    independent: flag === 'i',
  };
}

/** Compares by publish, then by sequence number. */
export function bySequence(a: RecordedSegment, b: RecordedSegment): number {
  return comparePeriods(a.period, b.period) || a.msn - b.msn;
}

/** Compares the number of the publish first, then the counter of its init segments. */
function comparePeriods(a: string, b: string): number {
  if (a === b) return 0;
  const [runA = 0, partA = 0] = a.split('-').map(Number);
  const [runB = 0, partB = 0] = b.split('-').map(Number);
  return runA - runB || partA - partB;
}
