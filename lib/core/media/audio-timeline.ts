import type { PresentedRange } from './presented-ranges';

/** An audio frame of the file, or `null` for a silent frame. */
export type PlacedFrame = number | null;

export interface AudioFrames {
  readonly count: number;
  /** Presentation time of a frame, in ticks of the track. */
  readonly pts: (frame: number) => number;
  /** Ticks per second of the track. */
  readonly timescale: number;
  /** Seconds that one frame plays, from the codec configuration. Sample tables are wrong where frames were lost. */
  readonly frameSeconds: number;
}

/** Continuous audio: frame `n` starts at `start + n × frameSeconds`. */
export interface AudioTimeline {
  /** In seconds; before the start of the presentation if the decoder needs a priming frame. */
  readonly start: number;
  readonly frames: readonly PlacedFrame[];
}

/** Encoders put at most this many priming frames before the first audible frame. */
const primingFrames = 3;
/** Players delay playback if the video starts later than the audio by more than this. */
const maxPrimingSeconds = 0.1;

/**
 * Places audio frames end to end. Gaps are filled with silence, and a frame that would start at least half a frame early is
 * left out, so that no frame is off by more than half of its duration.
 * @param bounds of the presentation in seconds; silence fills both ends
 * @param maxFrames limit of the result
 * @returns null for more frames
 */
export function audioTimeline(
  ranges: readonly PresentedRange[],
  audio: AudioFrames,
  bounds: { readonly from: number; readonly to: number },
  maxFrames: number,
): AudioTimeline | null {
  const { frameSeconds } = audio;
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
    for (const { frame, at } of framesIn(range, audio)) {
      // Frames without a duration are part of every edit, so the number of samples is limited.
      if (++samplesSeen > 2 * maxFrames) return null;
      // Silence before the first frame starts a little later, so that the frame keeps its time.
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

/** The frames of a range with their presentation times in seconds. */
function* framesIn(range: PresentedRange, audio: AudioFrames): Generator<{ frame: number; at: number }> {
  const { timescale, frameSeconds } = audio;
  const length = frameSeconds * timescale;
  // A decoder needs one priming frame for the first audible frame. Other frames that an edit cuts off are not sent.
  const isPriming =
    frameSeconds <= maxPrimingSeconds && range.from - audio.pts(0) <= primingFrames * length + 1;
  const first = isPriming ? range.from - length : range.from;
  // Times in ticks of the movie are rounded.
  const tolerance = timescale / 500;
  for (let frame = firstFrom(audio, first - tolerance); frame < audio.count; frame++) {
    const pts = audio.pts(frame);
    if (pts >= range.to - tolerance) return;
    yield { frame, at: range.at + (pts - range.from) / timescale };
  }
}

/** The first frame at or after a time; audio frames are in order. */
function firstFrom({ count, pts }: AudioFrames, time: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pts(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
