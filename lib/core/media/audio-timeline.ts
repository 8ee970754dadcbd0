import type { PresentedRange } from './presented-ranges';

/** An audio frame of the file, or `null` for a silent frame. */
export type TimelineFrame = number | null;

export interface AudioFrames {
  readonly count: number;
  /** Presentation time of a frame, in ticks of the track. */
  readonly pts: (frame: number) => number;
  /** Ticks per second of the track. */
  readonly timescale: number;
  /** Seconds that one frame plays, from the codec configuration. Sample tables are wrong where frames were lost. */
  readonly frameSeconds: number;
}

/** Continuous audio: frame `n` starts at `startSeconds + n × frameSeconds`. */
export interface AudioTimeline {
  /** Start of the first frame. It is before the start of the presentation if the decoder needs a priming frame. */
  readonly startSeconds: number;
  readonly frames: readonly TimelineFrame[];
}

/** Maximum number of priming frames that encoders put before the first audible frame. */
const PRIMING_FRAMES = 3;
/**
 * Maximum duration of a priming frame: players delay playback if the video starts later than the audio by more
 * than this.
 */
const MAX_PRIMING_SECONDS = 0.1;

/**
 * Places audio frames end to end. Gaps are filled with silence, and a frame that would overlap the previous one by more than
 * half a frame is left out, so that no frame is off by more than half of its duration.
 * @param bounds start and end of the presentation in seconds; silence fills both ends
 * @param maxFrames maximum number of frames of the timeline
 * @returns null if the timeline would have more frames, or if the edits contain a frame too often
 */
export function createAudioTimeline(
  ranges: readonly PresentedRange[],
  audio: AudioFrames,
  bounds: { readonly from: number; readonly to: number },
  maxFrames: number,
): AudioTimeline | null {
  const { frameSeconds } = audio;
  const frames: TimelineFrame[] = [];
  let startSeconds: number | null = null;
  const endSeconds = () => (startSeconds ?? bounds.from) + frames.length * frameSeconds;
  const fillTo = (seconds: number): boolean => {
    const silentCount = Math.round((seconds - endSeconds()) / frameSeconds);
    if (frames.length + Math.max(0, silentCount) > maxFrames) return false;
    for (let n = 0; n < silentCount; n++) frames.push(null);
    return true;
  };
  let visitedCount = 0;
  for (const range of ranges) {
    for (const { frame, seconds } of framesInRange(range, audio)) {
      // Many edits can contain the same frames, so the number of visited frames is limited as well.
      if (++visitedCount > 2 * maxFrames) return null;
      // The silence before the first frame may start a little later than the presentation, so that the frame
      // keeps its time.
      if (startSeconds === null)
        startSeconds =
          seconds - Math.max(0, Math.floor((seconds - bounds.from) / frameSeconds)) * frameSeconds;
      if (seconds < endSeconds() - frameSeconds / 2) continue;
      if (!fillTo(seconds) || frames.length >= maxFrames) return null;
      frames.push(frame);
    }
  }
  if (!fillTo(bounds.to)) return null;
  return { startSeconds: startSeconds ?? bounds.from, frames };
}

/** The frames of a range with their presentation times. */
function* framesInRange(
  range: PresentedRange,
  audio: AudioFrames,
): Generator<{ frame: number; seconds: number }> {
  const { timescale, frameSeconds } = audio;
  const frameTicks = frameSeconds * timescale;
  // A decoder needs one priming frame for the first audible frame. Other frames that an edit cuts off are not sent. One tick
  // is added for rounding.
  const isPriming =
    frameSeconds <= MAX_PRIMING_SECONDS && range.fromTicks - audio.pts(0) <= PRIMING_FRAMES * frameTicks + 1;
  const firstTicks = isPriming ? range.fromTicks - frameTicks : range.fromTicks;
  // Two milliseconds: times of edits are rounded to ticks of the movie.
  const tolerance = timescale / 500;
  for (let frame = firstFrameFrom(audio, firstTicks - tolerance); frame < audio.count; frame++) {
    const pts = audio.pts(frame);
    if (pts >= range.toTicks - tolerance) return;
    yield { frame, seconds: range.startSeconds + (pts - range.fromTicks) / timescale };
  }
}

/** The index of the first frame at or after a time in ticks, by binary search: audio frames are in order. */
function firstFrameFrom({ count, pts }: AudioFrames, ticks: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pts(middle) < ticks) low = middle + 1;
    else high = middle;
  }
  return low;
}
