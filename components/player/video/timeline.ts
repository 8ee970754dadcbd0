/** Seekable range of a video, in seconds. */
export interface Timeline {
  readonly start: number;
  readonly end: number;
  readonly live: boolean;
}

/** A live window shorter than this has no timeline, because seeking in it is useless. */
const MIN_WINDOW_S = 8;

/** The timeline of the loaded media; null while it is unknown or not seekable. */
export function timelineOf({
  duration,
  seekable,
}: Pick<HTMLMediaElement, 'duration' | 'seekable'>): Timeline | null {
  if (Number.isFinite(duration)) return duration > 0 ? { start: 0, end: duration, live: false } : null;
  if (duration !== Infinity || seekable.length === 0) return null;
  const [start, end] = [seekable.start(0), seekable.end(seekable.length - 1)];
  return end - start < MIN_WINDOW_S ? null : { start, end, live: true };
}

/** "4:05", "1:04:05" */
export function clock(seconds: number): string {
  const totalSeconds = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(totalSeconds / 3600), Math.floor(totalSeconds / 60) % 60];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(totalSeconds % 60)}`
    : `${minutes}:${two(totalSeconds % 60)}`;
}

/** Formats a position: from the beginning, or as distance to the live edge. */
export function formatMoment(timeline: Timeline, at: number): string {
  if (!timeline.live) return clock(at);
  const secondsBehind = timeline.end - at;
  return secondsBehind < 1 ? 'Live' : `-${clock(secondsBehind)}`;
}

/** End of the buffer that is continuous from the current position, in seconds. */
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
