import { formatTimecode } from './timecode';

/** Seekable range of a video, in seconds. */
export interface Timeline {
  readonly start: number;
  readonly end: number;
  /** Whether the media is a live stream, whose range moves. */
  readonly live: boolean;
}

/** Shortest live window, in seconds, that has a timeline. Seeking in a shorter window is useless. */
const MIN_WINDOW_S = 8;

/** Timeline of the loaded media; null while it is unknown, or if the media is not seekable. */
export function timelineOf({
  duration,
  seekable,
}: Pick<HTMLMediaElement, 'duration' | 'seekable'>): Timeline | null {
  if (Number.isFinite(duration)) return duration > 0 ? { start: 0, end: duration, live: false } : null;
  if (duration !== Infinity || seekable.length === 0) return null;
  const [start, end] = [seekable.start(0), seekable.end(seekable.length - 1)];
  return end - start < MIN_WINDOW_S ? null : { start, end, live: true };
}

/** Distance to the moving start of a DVR window, in seconds: more than the longest segment, which has 10.4 s. */
const WINDOW_MARGIN_S = 12;

/**
 * The first position of a live timeline that can be played for certain, in seconds. While the session is shorter than the
 * DVR window, this is its start. Later the start of the window moves, and the segment there may expire before it is
 * loaded, so the position is inside the window.
 * @param dvrSeconds length of the DVR window
 */
export function startOfWindow({ start, end }: Pick<Timeline, 'start' | 'end'>, dvrSeconds: number): number {
  const length = end - start;
  // The oldest segment leaves the window as a whole, so a moving window is shorter by up to one segment.
  const isMoving = length + WINDOW_MARGIN_S > dvrSeconds;
  return isMoving ? start + Math.min(WINDOW_MARGIN_S, length / 2) : start;
}

/** Formats a position as time since the start of a video, or as distance to the live edge: "1:05", "-0:08" or "Live". */
export function formatPosition(timeline: Timeline, seconds: number): string {
  if (!timeline.live) return formatTimecode(seconds);
  const secondsBehind = timeline.end - seconds;
  return secondsBehind < 1 ? 'Live' : `-${formatTimecode(secondsBehind)}`;
}

/** Position up to which the buffer has no gap from the current position, in seconds. */
export function bufferedUntil({
  buffered,
  currentTime,
}: Pick<HTMLMediaElement, 'buffered' | 'currentTime'>): number {
  for (let index = 0; index < buffered.length; index += 1) {
    if (buffered.start(index) <= currentTime && currentTime <= buffered.end(index))
      return buffered.end(index);
  }
  return currentTime;
}
