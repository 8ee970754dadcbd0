export type TrackKind = 'video' | 'audio';

/** Consecutive frames that follow each other, but not the frames before them. They may belong to a new clock. Times in ms. */
export interface Candidate {
  /** Decode time of the first frame, by the publisher's clock and on the corrected timeline. */
  readonly firstDts: number;
  readonly firstCorrectedDts: number;
  readonly frameCount: number;
  /** Decode time of the last frame, by the publisher's clock. */
  readonly lastDts: number;
}

/** The state of one track while its timestamps are corrected (timestamp-corrector.ts). Times in milliseconds. */
export interface Track {
  /** Difference of the corrected decode time from that by the publisher's clock. */
  offsetMs: number;
  /** Decode time, by the publisher's clock, of the last accepted frame. */
  lastDts: number;
  /** Arrival of the last accepted frame, by the local clock. */
  acceptedArrivalMs: number;
  /** Time of the last frame on the corrected timeline. */
  correctedDts: number;
  /** Distance of the last two accepted frames, which is longer than a frame where frames were lost. */
  stepMs: number;
  /** Duration of a frame: the shorter of the last two distances. */
  frameMs: number;
  /** Lead of this track over the other track after the last accepted frame. */
  aheadMs: number;
  candidate: Candidate | null;
  /** The last change of the offset, which the other track may share. */
  lastShift: { readonly ms: number; readonly arrivalMs: number } | null;
  /** Arrival time of the last frame, accepted or not. */
  lastArrivalMs: number;
  /** Initial delay of this track behind the other track. */
  behindMs: number;
  /** The first frame that is further behind than at the start, with the time of the other track then. */
  behindSince: TrackPosition | null;
}

/** A moment of two tracks: its arrival time, and the times of both tracks on the corrected timeline. */
interface TrackPosition {
  readonly arrivalMs: number;
  readonly correctedDts: number;
  readonly otherCorrectedDts: number;
}
