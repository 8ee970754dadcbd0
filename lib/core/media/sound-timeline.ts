import type { PresentedRange } from './presented-ranges';

/** A sound frame of the file, or `null` for a silent one. */
export type PlacedFrame = number | null;

export interface SoundFrames {
  readonly count: number;
  /** Presentation time of a frame, in ticks of the track. */
  readonly pts: (frame: number) => number;
  /** Ticks per second of the track. */
  readonly timescale: number;
  /** Seconds that one frame plays, as its configuration says. Sample tables are wrong where frames were lost. */
  readonly frameSeconds: number;
}

/** Sound that is played without holes: frame `n` starts at `start + n × frameSeconds`. */
export interface SoundTimeline {
  /** Seconds; below the start of the presentation where a decoder needs a frame in front of it. */
  readonly start: number;
  readonly frames: readonly PlacedFrame[];
}

/** Encoders put at most this many frames in front of the first one that is heard. */
const primingFrames = 3;
/** Players wait for a picture that starts later than the sound by more than this. */
const longestPrimingSeconds = 0.1;

/**
 * Lays frames end to end. A hole is filled with silence, and a frame that would start half a frame early or more is left
 * out, so that no frame is off by more than half of its length.
 * @param bounds of the presentation in seconds: silence fills what is missing at both ends
 * @param maxFrames more are refused
 * @returns null if there are too many
 */
export function soundTimeline(
  ranges: readonly PresentedRange[],
  sound: SoundFrames,
  bounds: { readonly from: number; readonly to: number },
  maxFrames: number,
): SoundTimeline | null {
  const { frameSeconds } = sound;
  const frames: PlacedFrame[] = [];
  let start: number | null = null;
  const end = () => (start ?? bounds.from) + frames.length * frameSeconds;
  const fillTo = (time: number): boolean => {
    const silent = Math.round((time - end()) / frameSeconds);
    if (frames.length + Math.max(0, silent) > maxFrames) return false;
    for (let n = 0; n < silent; n++) frames.push(null);
    return true;
  };
  let samplesSeen = 0;
  for (const range of ranges) {
    for (const { frame, at } of framesIn(range, sound)) {
      // Frames without a duration are seen by every edit.
      if (++samplesSeen > 2 * maxFrames) return null;
      // Silence in front of the first frame starts a little later, so that the frame keeps its time.
      if (start === null)
        start = at - Math.max(0, Math.floor((at - bounds.from) / frameSeconds)) * frameSeconds;
      if (at < end() - frameSeconds / 2) continue;
      if (!fillTo(at) || frames.length >= maxFrames) return null;
      frames.push(frame);
    }
  }
  if (!fillTo(bounds.to)) return null;
  return { start: start ?? bounds.from, frames };
}

/** The frames that a range presents, in seconds of the presentation. */
function* framesIn(range: PresentedRange, sound: SoundFrames): Generator<{ frame: number; at: number }> {
  const { timescale, frameSeconds } = sound;
  const length = frameSeconds * timescale;
  // One frame of an encoder's priming makes the first one that is heard complete. What an edit cuts off is not sent.
  const isPriming =
    frameSeconds <= longestPrimingSeconds && range.from - sound.pts(0) <= primingFrames * length + 1;
  const first = isPriming ? range.from - length : range.from;
  // Times of the movie are rounded.
  const tolerance = timescale / 500;
  for (let frame = firstFrom(sound, first - tolerance); frame < sound.count; frame++) {
    const pts = sound.pts(frame);
    if (pts >= range.to - tolerance) return;
    yield { frame, at: range.at + (pts - range.from) / timescale };
  }
}

/** The first frame at or after a time; sound is in order. */
function firstFrom({ count, pts }: SoundFrames, time: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pts(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
