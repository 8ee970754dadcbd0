type Kind = 'video' | 'audio';

/** When a frame is decoded by its publisher's clock, and when it arrived by ours. Both in milliseconds. */
export interface StampedFrame {
  readonly kind: Kind;
  readonly dts: number;
  readonly arrivalMs: number;
}

/** Steps up to this, forward or back, need no witness, unless the frames of the track usually last longer. */
const USUAL_STEP_MS = 300;
const LONGEST_FRAME_MS = 1_000;
/** How far a frame after a longer step may be from where its arrival or the other track expects it. */
const WITNESS_MS = 300;
/** The same, once several frames say so. */
const REPEATED_WITNESS_MS = 1_000;
/** A pause of a publish without a second track, which may be sent faster than it plays: nothing else tells of it. */
const LONE_PAUSE_MS = 10_000;
/** A track that begins further than this from the other one has a clock of its own. */
const SAME_CLOCK_MS = 10_000;
/** A track without frames for this long tells nothing about the other one. */
const FRESH_MS = 1_000;
/** This many frames in a row that follow each other, but not the frames before them, are a new clock. */
const NEW_CLOCK_FRAMES = 3;
/** Two tracks whose clocks change by the same time, within this, have one clock. */
const TOGETHER_MS = 150;
/** A track that has fallen this much further behind the other one, and stays there for as long as that, has lost time. */
const LOST_MS = 2_000;
const STAYS_MS = 1_000;
/** How far a track may be behind the other one from the start: sound is queued, and a picture can be meant to be late. */
const MOST_BEHIND_MS: Readonly<Record<Kind, number>> = { video: 7_500, audio: 3_500 };

/** Frames out of line that follow each other. */
interface Candidate {
  readonly firstDts: number;
  readonly firstOut: number;
  readonly count: number;
  readonly dts: number;
}

interface Track {
  /** `dts + offset` is the time on the straight timeline. */
  offset: number;
  /** Of the last frame that was in line. */
  dts: number;
  arrivalMs: number;
  /** Time of the last frame on the straight timeline. */
  out: number;
  /** Usual distance of two frames. */
  frameMs: number;
  /** How far ahead of the other track this one usually is. */
  aheadMs: number;
  candidate: Candidate | null;
  /** The last change of the offset, for the other track. */
  shift: { readonly ms: number; readonly arrivalMs: number } | null;
  /** Arrival of the last frame, in line or not. */
  seenMs: number;
  /** How far it has been behind the other track from the start. */
  behindMs: number;
  /** The frame since which it is further behind, and where the other track was then. */
  behindSince: Standing | null;
}

interface Standing {
  readonly arrivalMs: number;
  readonly out: number;
  readonly otherOut: number;
}

const FIRST_FRAME_MS: Readonly<Record<Kind, number>> = { video: 33, audio: 21 };

/**
 * The stamps of one publish, made into one timeline: strictly rising decode times per track, with the distance between
 * sound and picture that the encoder means.
 *
 * A stamp out of line is replaced by the time after the frame before. A pause is kept if the arrival of the frames or
 * the other track tells of it too. A clock that is set is followed after three frames, without a gap; if both tracks
 * are set alike, both move by the same time. A stamp that is repeated tells nothing: the frame is placed by its arrival. A
 * track that loses time goes on where it arrives.
 */
export class StampStraightener {
  readonly #tracks: Record<Kind, Track | null> = { video: null, audio: null };

  /** @returns decode time on the straight timeline, ms: larger than that of any earlier frame of the track */
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
    if (isFirst && otherTrack) meant({ [kind]: track, [beside]: otherTrack } as Record<Kind, Track>);
    if (otherTrack && !track.candidate) {
      if (hasLostTime(track, otherTrack, frame)) regain(track, otherTrack);
      track.aheadMs = track.out - otherTrack.out;
    }
    return track.out;
  }

  /** Where a packet without a time of its own stands: with the last frame of its track. */
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
  const before = { offset, dts: dts - 1, arrivalMs, seenMs: arrivalMs, out, frameMs };
  return { ...before, aheadMs: 0, candidate: null, shift: null, behindMs: 0, behindSince: null };
}

/** Both tracks have begun: how far they are apart is what the encoder means, unless one would hold up the other for too long. */
function meant({ video, audio }: Record<Kind, Track>): void {
  const behind = (kind: Kind, ms: number) => (ms > 0 && ms <= MOST_BEHIND_MS[kind] ? ms : 0);
  video.behindMs = behind('video', audio.out - video.out);
  audio.behindMs = behind('audio', video.out - audio.out);
}

/**
 * It is further behind than from the start, and neither catches up, as frames from a queue do, nor is it sent faster than it
 * plays, as a file is.
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
  return ownLag <= passedMs + WITNESS_MS && ownLag <= beside + WITNESS_MS;
}

function regain(track: Track, otherTrack: Track): void {
  const ms = otherTrack.out - track.behindMs - track.out;
  track.offset += ms;
  track.out += ms;
}

const usualStep = (track: Track): number => Math.max(USUAL_STEP_MS, 4 * track.frameMs);

const follows = (track: Track, before: number, dts: number): boolean =>
  dts > before && dts - before <= usualStep(track);

function inLine(track: Track, otherTrack: Track | null, frame: Stamp): boolean {
  const step = frame.dts - track.dts;
  if (step <= usualStep(track)) return step >= -USUAL_STEP_MS;
  const late = step - (frame.arrivalMs - track.arrivalMs);
  return Math.abs(late) <= WITNESS_MS || agrees(track, otherTrack, frame, WITNESS_MS);
}

/** The other track has come to the time that the stamp means. */
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
  if (step > 0 && step <= usualStep(track)) track.frameMs = Math.min(step, LONGEST_FRAME_MS);
  const isRepeated = step === 0;
  track.dts = Math.max(dts, track.dts);
  track.arrivalMs = arrivalMs;
  track.candidate = null;
  if (isRepeated) return track.out + Math.min(arrivalMs - track.seenMs, USUAL_STEP_MS);
  return dts + track.offset;
}

/** A frame out of line. */
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

/** The change of the offset with which the frames of the candidate continue the track; 0 if they are a pause only. */
function shiftOf(
  track: Track,
  otherTrack: Track | null,
  candidate: Candidate,
  { dts, arrivalMs }: Stamp,
): number {
  if (agrees(track, otherTrack, { dts, arrivalMs }, REPEATED_WITNESS_MS)) return 0;
  const pauseMs = dts + track.offset - track.out;
  if (!otherTrack && pauseMs > 0 && pauseMs <= LONE_PAUSE_MS) return 0;
  const natural = candidate.firstOut - candidate.firstDts - track.offset;
  const together = otherTrack?.shift;
  const isTogether =
    together && arrivalMs - together.arrivalMs <= FRESH_MS && Math.abs(natural - together.ms) <= TOGETHER_MS;
  return isTogether ? together.ms : natural;
}
