type Kind = 'video' | 'audio';

/** Decode time of a frame by the publisher's clock, and its arrival by the local clock, in milliseconds. */
export interface StampedFrame {
  readonly kind: Kind;
  readonly dts: number;
  readonly arrivalMs: number;
}

/** Steps up to this, forward or back, are accepted without confirmation, unless frames of the track usually last longer. */
const USUAL_STEP_MS = 300;
const MAX_FRAME_MS = 1_000;
/** Maximum difference of a frame after a longer step from the time its arrival or the other track predicts. */
const CONFIRMATION_MS = 300;
/** Maximum difference if several frames confirm the step. */
const REPEATED_CONFIRMATION_MS = 1_000;
/**
 * Accepted pause of a publish with one track that may be sent faster than real time: nothing else can confirm the pause.
 */
const LONE_PAUSE_MS = 10_000;
/** A track that starts further than this from the other one has its own clock. */
const SAME_CLOCK_MS = 10_000;
/** A track without frames for this long does not confirm the other one. */
const FRESH_MS = 1_000;
/** This many consecutive frames that follow each other, but not the frames before them, are a new clock. */
const NEW_CLOCK_FRAMES = 3;
/** Tracks whose clocks change by the same time, within this tolerance, share one clock. */
const TOGETHER_MS = 150;
/** A track that falls this much further behind the other one, and stays there for `STAYS_MS`, has lost time. */
const LOST_MS = 2_000;
const STAYS_MS = 1_000;
/** Maximum initial delay of a track behind the other one: audio is queued, and video may be intentionally late. */
const MAX_BEHIND_MS: Readonly<Record<Kind, number>> = { video: 7_500, audio: 3_500 };

/** Consecutive frames that are out of line. */
interface Candidate {
  readonly firstDts: number;
  readonly firstOut: number;
  readonly count: number;
  readonly dts: number;
}

interface Track {
  /** `dts + offset` is the time on the corrected timeline. */
  offset: number;
  /** Decode time of the last frame in line. */
  dts: number;
  arrivalMs: number;
  /** Time of the last frame on the corrected timeline. */
  out: number;
  /** Usual distance of consecutive frames. */
  frameMs: number;
  /** Usual lead of this track over the other one. */
  aheadMs: number;
  candidate: Candidate | null;
  /** The last change of the offset, which the other track may share. */
  shift: { readonly ms: number; readonly arrivalMs: number } | null;
  /** Arrival of the last frame, in line or not. */
  seenMs: number;
  /** Initial delay of this track behind the other one. */
  behindMs: number;
  /** The first frame that is further behind, with the position of the other track. */
  behindSince: TrackPosition | null;
}

interface TrackPosition {
  readonly arrivalMs: number;
  readonly out: number;
  readonly otherOut: number;
}

const FIRST_FRAME_MS: Readonly<Record<Kind, number>> = { video: 33, audio: 21 };

/**
 * Corrects the timestamps of one publish to one timeline with strictly rising decode times per track, keeping the A/V
 * offset of the encoder.
 *
 * A timestamp out of line is replaced by the time after the previous frame. A pause is kept if the arrival of the frames
 * or the other track confirms it. A clock change is followed after three frames, without a gap; if both clocks change
 * equally, both tracks shift by the same time. A repeated timestamp is placed by its arrival. A track that loses time
 * continues at its arrival.
 */
export class StampStraightener {
  readonly #tracks: Record<Kind, Track | null> = { video: null, audio: null };

  /** @returns decode time on the corrected timeline in ms, larger than that of any earlier frame of the track */
  place({ kind, dts, arrivalMs }: StampedFrame): number {
    const beside = kind === 'video' ? 'audio' : 'video';
    const otherTrack = this.#tracks[beside];
    const frame = { dts, arrivalMs };
    const isFirst = this.#tracks[kind] === null;
    const track = (this.#tracks[kind] ??= firstOf(kind, frame, otherTrack));
    const out = inLine(track, otherTrack, frame)
      ? follow(track, frame)
      : straighten(track, otherTrack, frame);
    track.out = Math.max(out, track.out + 1);
    track.seenMs = arrivalMs;
    if (isFirst && otherTrack)
      keepIntendedDistance({ [kind]: track, [beside]: otherTrack } as Record<Kind, Track>);
    if (otherTrack && !track.candidate) {
      if (hasLostTime(track, otherTrack, frame)) recoverLostTime(track, otherTrack);
      track.aheadMs = track.out - otherTrack.out;
    }
    return track.out;
  }

  /** The time of a packet without a timestamp: that of the last frame of its track. */
  latest(kind: Kind): number | undefined {
    return this.#tracks[kind]?.out;
  }
}

type Stamp = Omit<StampedFrame, 'kind'>;

function firstOf(kind: Kind, { dts, arrivalMs }: Stamp, otherTrack: Track | null): Track {
  const frameMs = FIRST_FRAME_MS[kind];
  const sharesClock = !otherTrack || Math.abs(dts + otherTrack.offset - otherTrack.out) <= SAME_CLOCK_MS;
  const offset = sharesClock
    ? (otherTrack?.offset ?? 0)
    : otherTrack.out + (arrivalMs - otherTrack.arrivalMs) - dts;
  const out = dts + offset - 1;
  const previousFrame = { offset, dts: dts - 1, arrivalMs, seenMs: arrivalMs, out, frameMs };
  return { ...previousFrame, aheadMs: 0, candidate: null, shift: null, behindMs: 0, behindSince: null };
}

/**
 * Called when both tracks have started: their distance is intended by the encoder, unless one would delay the other for
 * too long.
 */
function keepIntendedDistance({ video, audio }: Record<Kind, Track>): void {
  const behind = (kind: Kind, ms: number) => (ms > 0 && ms <= MAX_BEHIND_MS[kind] ? ms : 0);
  video.behindMs = behind('video', audio.out - video.out);
  audio.behindMs = behind('audio', video.out - audio.out);
}

/**
 * Whether the track is further behind than at the start and does not catch up, neither as a queue drains nor as a file that
 * is sent faster than real time.
 */
function hasLostTime(track: Track, otherTrack: Track, { arrivalMs }: Stamp): boolean {
  const isFurther = otherTrack.out - track.out - track.behindMs > LOST_MS;
  if (!isFurther || arrivalMs - otherTrack.seenMs > FRESH_MS) {
    track.behindSince = null;
    return false;
  }
  const since = (track.behindSince ??= { arrivalMs, out: track.out, otherOut: otherTrack.out });
  const passedMs = arrivalMs - since.arrivalMs;
  if (passedMs < STAYS_MS) return false;
  track.behindSince = null;
  const [ownLag, beside] = [track.out - since.out, otherTrack.out - since.otherOut];
  return ownLag <= passedMs + CONFIRMATION_MS && ownLag <= beside + CONFIRMATION_MS;
}

function recoverLostTime(track: Track, otherTrack: Track): void {
  const ms = otherTrack.out - track.behindMs - track.out;
  track.offset += ms;
  track.out += ms;
}

const usualStep = (track: Track): number => Math.max(USUAL_STEP_MS, 4 * track.frameMs);

const follows = (track: Track, previousDts: number, dts: number): boolean =>
  dts > previousDts && dts - previousDts <= usualStep(track);

function inLine(track: Track, otherTrack: Track | null, frame: Stamp): boolean {
  const step = frame.dts - track.dts;
  if (step <= usualStep(track)) return step >= -USUAL_STEP_MS;
  const late = step - (frame.arrivalMs - track.arrivalMs);
  return Math.abs(late) <= CONFIRMATION_MS || agrees(track, otherTrack, frame, CONFIRMATION_MS);
}

/** Whether the other track has reached the time of the timestamp. */
function agrees(
  track: Track,
  otherTrack: Track | null,
  { dts, arrivalMs }: Stamp,
  toleranceMs: number,
): boolean {
  if (!otherTrack || arrivalMs - otherTrack.arrivalMs > FRESH_MS) return false;
  return Math.abs(dts + track.offset - (otherTrack.out + track.aheadMs)) <= toleranceMs;
}

function follow(track: Track, { dts, arrivalMs }: Stamp): number {
  const step = dts - track.dts;
  if (step > 0 && step <= usualStep(track)) track.frameMs = Math.min(step, MAX_FRAME_MS);
  const isRepeated = step === 0;
  track.dts = Math.max(dts, track.dts);
  track.arrivalMs = arrivalMs;
  track.candidate = null;
  if (isRepeated) return track.out + Math.min(arrivalMs - track.seenMs, USUAL_STEP_MS);
  return dts + track.offset;
}

/** Places a frame that is out of line. */
function straighten(track: Track, otherTrack: Track | null, frame: Stamp): number {
  const candidate = continuedFrom(track, frame);
  track.candidate = candidate;
  if (candidate.count < NEW_CLOCK_FRAMES) return candidate.firstOut + (frame.dts - candidate.firstDts);
  const shift = shiftOf(track, otherTrack, candidate, frame);
  if (shift !== 0) track.shift = { ms: shift, arrivalMs: frame.arrivalMs };
  track.offset += shift;
  track.dts = frame.dts;
  track.arrivalMs = frame.arrivalMs;
  track.candidate = null;
  return frame.dts + track.offset;
}

function continuedFrom(track: Track, { dts, arrivalMs }: Stamp): Candidate {
  const { candidate } = track;
  if (candidate && follows(track, candidate.dts, dts))
    return { ...candidate, count: candidate.count + 1, dts };
  const pauseMs = arrivalMs - track.arrivalMs;
  const stepMs = pauseMs > usualStep(track) ? pauseMs : track.frameMs;
  return { firstDts: dts, firstOut: track.out + stepMs, count: 1, dts };
}

/** The change of the offset with which the candidate's frames continue the track; 0 for a mere pause. */
function shiftOf(
  track: Track,
  otherTrack: Track | null,
  candidate: Candidate,
  { dts, arrivalMs }: Stamp,
): number {
  if (agrees(track, otherTrack, { dts, arrivalMs }, REPEATED_CONFIRMATION_MS)) return 0;
  const pauseMs = dts + track.offset - track.out;
  if (!otherTrack && pauseMs > 0 && pauseMs <= LONE_PAUSE_MS) return 0;
  const natural = candidate.firstOut - candidate.firstDts - track.offset;
  const together = otherTrack?.shift;
  const isTogether =
    together && arrivalMs - together.arrivalMs <= FRESH_MS && Math.abs(natural - together.ms) <= TOGETHER_MS;
  return isTogether ? together.ms : natural;
}
