import { clipLimits } from '@/lib/core/sessions/clip-range';

/** Start and end of a clip, in seconds of the video. */
export interface ClipDraft {
  readonly start: number;
  readonly end: number;
}

/** Range that can be clipped, in seconds of the video. */
export interface ClipBounds {
  readonly min: number;
  readonly max: number;
  /** Longest clip in seconds; absent: an hour. */
  readonly maxSeconds?: number;
}

const minSeconds = clipLimits.minMs / 1_000;
const hour = clipLimits.maxMs / 1_000;
const firstSeconds = 15;
/** Seconds that a handle covers on each side, so that it stays precise in a long video. */
const reachSeconds = 60;
/**
 * Seconds before the player's buffer at which a clip of a live stream may start, because the stream may be recorded.
 */
const liveBackSeconds = 300;

/** Range of a video that can be clipped, or the recent part of a live stream. */
export function clipBounds({
  duration,
  seekable,
}: Pick<HTMLMediaElement, 'duration' | 'seekable'>): ClipBounds {
  if (Number.isFinite(duration)) return { min: 0, max: duration };
  const max = seekable.length > 0 ? seekable.end(seekable.length - 1) : 0;
  return { min: Math.min(seekable.length > 0 ? seekable.start(0) : 0, max - liveBackSeconds), max };
}

/** The initial clip: the last seconds before the position, or the first seconds at the beginning of a video. */
export function firstDraft(at: number, { min, max }: ClipBounds): ClipDraft {
  const end = Math.min(max, Math.max(at, min + firstSeconds));
  return { start: Math.max(min, end - firstSeconds), end };
}

/** Moves the start; the end follows if the clip would be too short or too long. */
export function withStart(
  draft: ClipDraft,
  to: number,
  { min, max, maxSeconds = hour }: ClipBounds,
): ClipDraft {
  const start = Math.min(Math.max(min, to), max - minSeconds);
  return { start, end: Math.min(max, Math.max(start + minSeconds, Math.min(draft.end, start + maxSeconds))) };
}

/** Moves the end; the start follows if the clip would be too short or too long. */
export function withEnd(
  draft: ClipDraft,
  to: number,
  { min, max, maxSeconds = hour }: ClipBounds,
): ClipDraft {
  const end = Math.max(Math.min(max, to), min + minSeconds);
  return { start: Math.max(min, Math.min(end - minSeconds, Math.max(draft.start, end - maxSeconds))), end };
}

/** Range of the handles around the draft, in seconds. */
export function reachOf({ start, end }: ClipDraft, { min, max }: ClipBounds): ClipBounds {
  return { min: Math.max(min, start - reachSeconds), max: Math.min(max, end + reachSeconds) };
}
