import { measuredFrameRate } from '@/lib/core/media/media-probe';
import { HOLD_BACK_TARGETS, type PlaylistRendition } from '@/lib/core/hls/playlist';
import { displaySize } from '@/media-worker/media/cmaf/codec-config';
import type { WindowPeriod, WindowSegment } from './window-segment';

/** Bitrate of the segment including its MP4 boxes, bits per second. */
const bitrateOf = (segment: WindowSegment): number => (segment.bytes * 8000) / segment.durationMs;

/**
 * Facts of a rendition for the master playlist, measured on the segments of its newest init segment; undefined if there are
 * none.
 */
export function measureRendition(
  segments: readonly WindowSegment[],
): Omit<PlaylistRendition, 'uri'> | undefined {
  const newest = segments.at(-1);
  if (!newest) return undefined;
  const { tracks } = newest.period;
  const periodSegments = segments.filter(
    ({ period, durationMs }) => period === newest.period && durationMs > 0,
  );
  const durationMs = sum(periodSegments.map((segment) => segment.durationMs));
  if (durationMs === 0) return undefined;
  return {
    bandwidth: Math.max(...peakSegments(periodSegments).map(bitrateOf)),
    averageBandwidth: (sum(periodSegments.map((segment) => segment.bytes)) * 8000) / durationMs,
    codecs: [tracks.video?.codec, tracks.audio?.codec].filter((codec) => codec !== undefined),
    resolution: tracks.video && displaySize(tracks.video),
    frameRate:
      tracks.video && measuredFrameRate(sum(periodSegments.map(framesIn)), durationMs, tracks.video.fps),
    videoRange: tracks.video?.videoRange,
    independent: segments.every((segment) => segment.independent),
    captions: periodSegments.some(hasCaptions),
  };
}

/** Whether the new period has video and the previous one has only audio. */
export function addsVideo(
  periodBefore: Pick<WindowPeriod, 'tracks'>,
  periodAfter: Pick<WindowPeriod, 'tracks'>,
): boolean {
  return periodBefore.tracks.video === undefined && periodAfter.tracks.video !== undefined;
}

/**
 * Number of segments to list: at least `minCount`, and enough for the distance that players keep from the end,
 * because the target duration of a long first segment increases that distance.
 */
export function listedSegmentCount(
  segments: readonly WindowSegment[],
  minCount: number,
  targetDuration: number,
): number {
  let [count, ms] = [0, 0];
  for (const { durationMs } of segments.toReversed()) {
    if (count >= minCount && ms >= HOLD_BACK_TARGETS * targetDuration * 1_000) break;
    count += 1;
    ms += durationMs;
  }
  return count;
}

export interface WindowLimits {
  /** Minimum number of segments in the playlist. */
  readonly minListedCount: number;
  /** Number of segments kept behind the playlist, for players that have an older one. */
  readonly olderCount: number;
  readonly maxBytes: number;
}

/** Number of oldest segments to remove from the window; the newest stays. */
export function outdatedCount(
  segments: readonly WindowSegment[],
  targetDuration: number,
  { minListedCount, olderCount, maxBytes }: WindowLimits,
): number {
  const maxCount = listedSegmentCount(segments, minListedCount, targetDuration) + olderCount;
  let bytes = sum(segments.map((segment) => segment.bytes));
  let count = 0;
  while (count < segments.length - 1 && (segments.length - count > maxCount || bytes > maxBytes)) {
    bytes -= segments[count]?.bytes ?? 0;
    count += 1;
  }
  return count;
}

/**
 * The segments that count for the peak bitrate: those of at least half the longest duration, which excludes the
 * short segment at the end of a publish (RFC 8216 §4.3.4.2: half a target duration or more).
 */
function peakSegments(segments: readonly WindowSegment[]): readonly WindowSegment[] {
  const longestMs = Math.max(...segments.map((segment) => segment.durationMs));
  return segments.filter((segment) => segment.durationMs >= longestMs / 2);
}

/**
 * Registered user data of ATSC, which carries CEA-608 and CEA-708 (ANSI/SCTE 128-1 section 8.1): country, provider, `GA94`,
 * type.
 */
const CAPTIONS = Buffer.from('b500314741393403', 'hex');
/** Bytes of a sample that are searched: captions precede the frame that they belong to. */
const CAPTIONS_WITHIN_BYTES = 1_024;

const hasCaptions = ({ parts }: WindowSegment): boolean =>
  parts.some(({ data }) => data.some((bytes) => bytes.subarray(0, CAPTIONS_WITHIN_BYTES).includes(CAPTIONS)));

const framesIn = ({ videoFrames }: WindowSegment): number => videoFrames;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Numbers begin at the wall clock, in units shorter than the average segment, so that after hours and a crash they
 * are still ahead of the numbers used before. The average is at least 1.2 s, because a segment that is cut without a keyframe
 * and the one after it last 2.4 s together.
 */
const MSN_UNIT_MS = 1000;

/** The first media sequence number of a window created at `now`. */
export const initialMsn = (now: Date): number => Math.floor(now.getTime() / MSN_UNIT_MS);
