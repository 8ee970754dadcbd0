/**
 * Names of the recorded files of a session, below its prefix in the storage. The names are the only index of the recording:
 * the name of a segment has everything that a playlist needs, so no other record can contradict it. A segment is listed by
 * the storage once it is stored completely.
 */

/** One stored segment of one rendition. Times in milliseconds. */
export interface RecordedSegment {
  /** Id of the period: the number of the publish, and a counter if the publish had several init segments. */
  readonly period: string;
  /** Media sequence number. */
  readonly msn: number;
  /** Start on the media timeline of the session, which all renditions share. */
  readonly startMs: number;
  readonly durationMs: number;
  /** Wall-clock time of the first frame, in Unix milliseconds. */
  readonly wallClockMs: number;
  /** Whether the segment starts with a keyframe. */
  readonly independent: boolean;
}

/** Properties of a period of one rendition, which its segments and init segment do not have. Stored as JSON. */
export interface RecordedPeriod {
  /** Name of the rendition, which can't be derived from the name of its folder. */
  readonly rendition: string;
  /** RFC 6381 names, video first. */
  readonly codecs: readonly string[];
  readonly resolution?: { readonly width: number; readonly height: number };
  readonly frameRate?: number;
  /** Transfer function of HDR video; SDR if absent. */
  readonly videoRange?: 'PQ' | 'HLG';
  /** Whether the publisher sent no audio at first, so that silence was added. */
  readonly soundAdded?: true;
}

/** Folder, below the prefix of a session, of all files that playlists reference. */
export const hlsFolder = 'hls/';
/** MP4 of the whole recording, below the prefix of a session. */
export const mp4File = 'source.mp4';
/** Folder of the source rendition. */
export const sourceFolder = 'source';

/** Path of the init segment of a period, below the prefix of the session. */
export const initPath = (folder: string, period: string): string =>
  `${hlsFolder}${folder}/init-${period}.mp4`;
/**
 * Path of the JSON of a period (`RecordedPeriod`), below the prefix of the session. "stretch" is an older name of periods,
 * which stored recordings contain.
 */
export const periodPath = (folder: string, period: string): string => `stretch/${folder}/${period}.json`;
/** Path of a segment, below the prefix of the session. */
export const segmentPath = (folder: string, segment: RecordedSegment): string =>
  `${hlsFolder}${folder}/${formatSegmentName(segment)}`;

const toMicroseconds = (ms: number): number => Math.round(ms * 1_000);

/**
 * The file name of a segment in the folder of its rendition. Start and duration are in microseconds, the wall-clock time in
 * milliseconds.
 */
export function formatSegmentName(segment: RecordedSegment): string {
  const { period, msn, startMs, durationMs, wallClockMs, independent } = segment;
  const times = [toMicroseconds(startMs), toMicroseconds(durationMs), Math.round(wallClockMs)].join('_');
  return `${period}_${msn}_${times}_${independent ? 'i' : 'd'}.m4s`;
}

const segmentNamePattern =
  /^(\d{1,15}(?:-\d{1,15})?)_(\d{1,15})_(\d{1,15})_(\d{1,12})_(\d{1,15})_([id])\.m4s$/;

/** Parses a segment name; null for other files. */
export function parseSegmentName(name: string): RecordedSegment | null {
  const match = segmentNamePattern.exec(name);
  if (!match) return null;
  const [, period = '', msn, startMicroseconds, durationMicroseconds, wallClockMs, flag] = match;
  return {
    period,
    msn: Number(msn),
    startMs: Number(startMicroseconds) / 1_000,
    durationMs: Number(durationMicroseconds) / 1_000,
    wallClockMs: Number(wallClockMs),
    independent: flag === 'i',
  };
}

/** Compares two segments by period, then by sequence number. */
export function compareSegments(a: RecordedSegment, b: RecordedSegment): number {
  return comparePeriods(a.period, b.period) || a.msn - b.msn;
}

/** Compares the number of the publish, then the counter of the init segment. */
function comparePeriods(a: string, b: string): number {
  if (a === b) return 0;
  const [publishA = 0, counterA = 0] = a.split('-').map(Number);
  const [publishB = 0, counterB = 0] = b.split('-').map(Number);
  return publishA - publishB || counterA - counterB;
}
