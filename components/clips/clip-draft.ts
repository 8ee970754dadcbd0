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
  /** Longest clip in seconds; default: one hour. */
  readonly maxSeconds?: number;
}

const MIN_CLIP_SECONDS = clipLimits.minDurationMs / 1_000;
const MAX_CLIP_SECONDS = clipLimits.maxDurationMs / 1_000;
const INITIAL_SECONDS = 15;
/** Seconds of the video before and after the clip that the handles cover, so that they are precise in a long video. */
const HANDLE_REACH_SECONDS = 60;
/**
 * Seconds before the live edge at which a clip may start, even outside the player's window: the stream may be
 * recorded.
 */
const CLIPPABLE_LIVE_SECONDS = 300;

/** Range of a video that can be clipped, or the recent part of a live stream. */
export function clipBounds({
  duration,
  seekable,
}: Pick<HTMLMediaElement, 'duration' | 'seekable'>): ClipBounds {
  if (Number.isFinite(duration)) return { min: 0, max: duration };
  const max = seekable.length > 0 ? seekable.end(seekable.length - 1) : 0;
  return { min: Math.min(seekable.length > 0 ? seekable.start(0) : 0, max - CLIPPABLE_LIVE_SECONDS), max };
}

/** Initial clip: the 15 s before the position, or the first 15 s at the beginning of a video. */
export function initialDraft(seconds: number, { min, max }: ClipBounds): ClipDraft {
  const end = Math.min(max, Math.max(seconds, min + INITIAL_SECONDS));
  return { start: Math.max(min, end - INITIAL_SECONDS), end };
}

/** Moves the start; the end follows if the clip would be too short or too long. */
export function withStart(
  draft: ClipDraft,
  seconds: number,
  { min, max, maxSeconds = MAX_CLIP_SECONDS }: ClipBounds,
): ClipDraft {
  const start = Math.min(Math.max(min, seconds), max - MIN_CLIP_SECONDS);
  return {
    start,
    end: Math.min(max, Math.max(start + MIN_CLIP_SECONDS, Math.min(draft.end, start + maxSeconds))),
  };
}

/** Moves the end; the start follows if the clip would be too short or too long. */
export function withEnd(
  draft: ClipDraft,
  seconds: number,
  { min, max, maxSeconds = MAX_CLIP_SECONDS }: ClipBounds,
): ClipDraft {
  const end = Math.max(Math.min(max, seconds), min + MIN_CLIP_SECONDS);
  return {
    start: Math.max(min, Math.min(end - MIN_CLIP_SECONDS, Math.max(draft.start, end - maxSeconds))),
    end,
  };
}

/** Range of the handles: the draft with one minute before and after it. */
export function handleRange({ start, end }: ClipDraft, { min, max }: ClipBounds): ClipBounds {
  return { min: Math.max(min, start - HANDLE_REACH_SECONDS), max: Math.min(max, end + HANDLE_REACH_SECONDS) };
}
