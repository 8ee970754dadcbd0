import type { Candidate, TrackKind, Track } from './corrected-track';

/** A frame with its decode time by the publisher's clock and its arrival time by the local clock, in milliseconds. */
export interface StampedFrame {
  readonly kind: TrackKind;
  readonly dts: number;
  readonly arrivalMs: number;
}

/**
 * Maximum step between two timestamps, forward or back, that is accepted without confirmation. The maximum step forward is
 * longer if the frames of the track are.
 */
const USUAL_STEP_MS = 300;
/** Maximum duration of a frame that is learned from the steps of a track. */
const MAX_FRAME_MS = 1_000;
/** After a longer step, the maximum difference of a timestamp from the time that its arrival or the other track predicts. */
const CONFIRMATION_MS = 300;
/** Maximum difference from the predicted time after a step that several consecutive frames have made. */
const REPEATED_CONFIRMATION_MS = 1_000;
/**
 * Maximum pause that is accepted in a publish with a single track, where no other track can confirm it. The arrival does not
 * confirm it either if the media is sent faster than real time.
 */
const SINGLE_TRACK_PAUSE_MS = 10_000;
/** Maximum distance between the starts of two tracks that have one clock. */
const SAME_CLOCK_MS = 10_000;
/** Maximum time without frames after which a track can still confirm timestamps of the other track. */
const MAX_TRACK_SILENCE_MS = 1_000;
/** Number of consecutive frames that prove a new clock, if they follow each other but not the frames before them. */
const NEW_CLOCK_FRAMES = 3;
/** Maximum difference between the clock changes of two tracks that share one clock. */
const SHARED_SHIFT_TOLERANCE_MS = 150;
/**
 * A track has lost time if it falls this much further behind the other track, and stays behind for
 * `LOST_TIME_CONFIRMATION_MS`.
 */
const LOST_MS = 2_000;
const LOST_TIME_CONFIRMATION_MS = 1_000;
/**
 * Maximum initial delay of a track behind the other track that is kept: encoders queue audio, and may delay video on
 * purpose.
 */
const MAX_BEHIND_MS: Readonly<Record<TrackKind, number>> = { video: 7_500, audio: 3_500 };

/** Assumed duration of a frame before two frames have arrived. */
const FIRST_FRAME_MS: Readonly<Record<TrackKind, number>> = { video: 33, audio: 21 };

/**
 * Corrects the timestamps of one publish to one timeline with strictly rising decode times per track. The offset between
 * audio and video that the encoder chose is kept.
 *
 * A timestamp that does not continue its track is replaced by the time after the previous frame. A pause is kept if the
 * arrival of the frames or the other track confirms it. A clock change is followed after three frames, without a gap; if
 * both clocks change equally, both tracks shift by the same time. A repeated timestamp, and successive timestamps that do not
 * follow each other, are replaced according to the arrival of their frames. A track that has lost time is moved to the time of
 * the other track.
 */
export class TimestampCorrector {
  readonly #tracks: Record<TrackKind, Track | null> = { video: null, audio: null };

  /**
   * Corrects the timestamp of the next frame.
   * @returns the decode time on the corrected timeline in milliseconds, larger than that of any earlier frame of the track
   */
  correct({ kind, dts, arrivalMs }: StampedFrame): number {
    const otherKind = kind === 'video' ? 'audio' : 'video';
    const otherTrack = this.#tracks[otherKind];
    const frame = { dts, arrivalMs };
    const isFirst = this.#tracks[kind] === null;
    const track = (this.#tracks[kind] ??= createTrack(kind, frame, otherTrack));
    const hasSharedShift =
      track.candidate !== null && findSharedShift(track, otherTrack, track.candidate, frame) !== null;
    const correctedDts =
      !hasSharedShift && isInLine(track, otherTrack, frame)
        ? acceptTimestamp(track, frame)
        : replaceTimestamp(track, otherTrack, frame);
    track.correctedDts = Math.max(correctedDts, track.correctedDts + 1);
    track.lastArrivalMs = arrivalMs;
    if (isFirst && otherTrack)
      keepIntendedDistance({ [kind]: track, [otherKind]: otherTrack } as Record<TrackKind, Track>);
    if (otherTrack && !track.candidate) {
      if (hasLostTime(track, otherTrack, frame)) recoverLostTime(track, otherTrack);
      track.aheadMs = track.correctedDts - otherTrack.correctedDts;
    }
    return track.correctedDts;
  }

  /** The corrected time of the last frame of a track, for packets without a timestamp; undefined before the first frame. */
  lastTime(kind: TrackKind): number | undefined {
    return this.#tracks[kind]?.correctedDts;
  }
}

type TrackFrame = Omit<StampedFrame, 'kind'>;

function createTrack(kind: TrackKind, { dts, arrivalMs }: TrackFrame, otherTrack: Track | null): Track {
  const frameMs = FIRST_FRAME_MS[kind];
  const sharesClock =
    !otherTrack || Math.abs(dts + otherTrack.offsetMs - otherTrack.correctedDts) <= SAME_CLOCK_MS;
  const offsetMs = sharesClock
    ? (otherTrack?.offsetMs ?? 0)
    : otherTrack.correctedDts + (arrivalMs - otherTrack.acceptedArrivalMs) - dts;
  return {
    offsetMs,
    lastDts: dts,
    acceptedArrivalMs: arrivalMs,
    lastArrivalMs: arrivalMs,
    // One millisecond less, because each frame is later than the one before it, and this frame is still to be placed.
    correctedDts: dts + offsetMs - 1,
    stepMs: frameMs,
    frameMs,
    aheadMs: 0,
    candidate: null,
    lastShift: null,
    behindMs: 0,
    behindSince: null,
  };
}

/**
 * Stores the distance between the starts of the two tracks. The encoder intends it, unless one track would delay the other
 * for too long.
 */
function keepIntendedDistance({ video, audio }: Record<TrackKind, Track>): void {
  const behind = (kind: TrackKind, ms: number) => (ms > 0 && ms <= MAX_BEHIND_MS[kind] ? ms : 0);
  video.behindMs = behind('video', audio.correctedDts - video.correctedDts);
  audio.behindMs = behind('audio', video.correctedDts - audio.correctedDts);
}

/** Whether the track is further behind than at the start and does not catch up, as it would from a queue or a fast file. */
function hasLostTime(track: Track, otherTrack: Track, { arrivalMs }: TrackFrame): boolean {
  const isFurtherBehind = otherTrack.correctedDts - track.correctedDts - track.behindMs > LOST_MS;
  if (!isFurtherBehind || arrivalMs - otherTrack.lastArrivalMs > MAX_TRACK_SILENCE_MS) {
    track.behindSince = null;
    return false;
  }
  const start = (track.behindSince ??= {
    arrivalMs,
    correctedDts: track.correctedDts,
    otherCorrectedDts: otherTrack.correctedDts,
  });
  const passedMs = arrivalMs - start.arrivalMs;
  if (passedMs < LOST_TIME_CONFIRMATION_MS) return false;
  track.behindSince = null;
  const [ownProgress, otherProgress] = [
    track.correctedDts - start.correctedDts,
    otherTrack.correctedDts - start.otherCorrectedDts,
  ];
  return ownProgress <= passedMs + CONFIRMATION_MS && ownProgress <= otherProgress + CONFIRMATION_MS;
}

function recoverLostTime(track: Track, otherTrack: Track): void {
  const lostMs = otherTrack.correctedDts - track.behindMs - track.correctedDts;
  track.offsetMs += lostMs;
  track.correctedDts += lostMs;
}

const usualStep = (track: Track): number => Math.max(USUAL_STEP_MS, 4 * track.frameMs);

function isInLine(track: Track, otherTrack: Track | null, frame: TrackFrame): boolean {
  const step = frame.dts - track.lastDts;
  if (step <= usualStep(track)) return step >= -USUAL_STEP_MS;
  const deviationMs = step - (frame.arrivalMs - track.acceptedArrivalMs);
  return (
    Math.abs(deviationMs) <= CONFIRMATION_MS || otherTrackConfirms(track, otherTrack, frame, CONFIRMATION_MS)
  );
}

/** Whether the position of the other track confirms a timestamp of this track. */
function otherTrackConfirms(
  track: Track,
  otherTrack: Track | null,
  { dts, arrivalMs }: TrackFrame,
  toleranceMs: number,
): boolean {
  if (!otherTrack || arrivalMs - otherTrack.acceptedArrivalMs > MAX_TRACK_SILENCE_MS) return false;
  return Math.abs(dts + track.offsetMs - (otherTrack.correctedDts + track.aheadMs)) <= toleranceMs;
}

function acceptTimestamp(track: Track, { dts, arrivalMs }: TrackFrame): number {
  const step = dts - track.lastDts;
  if (step > 0 && step <= usualStep(track)) {
    track.frameMs = Math.min(step, track.stepMs, MAX_FRAME_MS);
    track.stepMs = step;
  }
  track.lastDts = Math.max(dts, track.lastDts);
  track.acceptedArrivalMs = arrivalMs;
  track.candidate = null;
  if (step === 0) return track.correctedDts + Math.min(arrivalMs - track.lastArrivalMs, USUAL_STEP_MS);
  return dts + track.offsetMs;
}

/** Replaces a timestamp that does not continue the track, and follows the clock after several such frames. */
function replaceTimestamp(track: Track, otherTrack: Track | null, frame: TrackFrame): number {
  const candidate = nextCandidate(track, frame);
  track.candidate = candidate;
  const sharedShift = findSharedShift(track, otherTrack, candidate, frame);
  if (sharedShift === null && candidate.frameCount < NEW_CLOCK_FRAMES)
    return candidate.firstCorrectedDts + (frame.dts - candidate.firstDts);
  const shift = sharedShift ?? shiftOf(track, otherTrack, candidate, frame);
  if (shift !== 0) track.lastShift = { ms: shift, arrivalMs: frame.arrivalMs };
  track.offsetMs += shift;
  track.lastDts = frame.dts;
  track.acceptedArrivalMs = frame.arrivalMs;
  track.candidate = null;
  return frame.dts + track.offsetMs;
}

function nextCandidate(track: Track, { dts, arrivalMs }: TrackFrame): Candidate {
  const { candidate } = track;
  if (candidate && dts > candidate.lastDts && dts - candidate.lastDts <= usualStep(track))
    return { ...candidate, frameCount: candidate.frameCount + 1, lastDts: dts };
  const elapsedMs = arrivalMs - track.lastArrivalMs;
  // A single stray frame has the usual duration; if all timestamps are wrong, only the arrival shows the duration.
  const stepMs = candidate || elapsedMs > usualStep(track) ? elapsedMs : track.frameMs;
  return { firstDts: dts, firstCorrectedDts: track.correctedDts + stepMs, frameCount: 1, lastDts: dts };
}

/** How much the offset must change so that the candidate's frames continue the track. */
const ownShiftOf = (track: Track, { firstCorrectedDts, firstDts }: Candidate): number =>
  firstCorrectedDts - firstDts - track.offsetMs;

/** The recent change of the other track's offset if it is about as large as the candidate's; null otherwise. */
function findSharedShift(
  track: Track,
  otherTrack: Track | null,
  candidate: Candidate,
  { arrivalMs }: TrackFrame,
): number | null {
  const shift = otherTrack?.lastShift;
  if (!shift || arrivalMs - shift.arrivalMs > MAX_TRACK_SILENCE_MS) return null;
  return Math.abs(ownShiftOf(track, candidate) - shift.ms) <= SHARED_SHIFT_TOLERANCE_MS ? shift.ms : null;
}

/** The change of the offset for the candidate's frames; 0 if the step was only a pause. */
function shiftOf(
  track: Track,
  otherTrack: Track | null,
  candidate: Candidate,
  { dts, arrivalMs }: TrackFrame,
): number {
  if (otherTrackConfirms(track, otherTrack, { dts, arrivalMs }, REPEATED_CONFIRMATION_MS)) return 0;
  const pauseMs = dts + track.offsetMs - track.correctedDts;
  return !otherTrack && pauseMs > 0 && pauseMs <= SINGLE_TRACK_PAUSE_MS ? 0 : ownShiftOf(track, candidate);
}
