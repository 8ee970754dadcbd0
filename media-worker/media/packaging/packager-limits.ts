/** Limits at which the packager cuts, waits or gives up, in milliseconds. */
export interface PackagerLimits {
  /** Length of a part, cut at the nearest frame boundary. */
  readonly partMs: number;
  /** Shortest segment: the first keyframe after this ends it. */
  readonly segmentMs: number;
  /** A keyframe interval this long is reported. */
  readonly longGopMs: number;
  /** Longest first segment of a window, with or without a keyframe; later ones fit the declared duration. */
  readonly maxSegmentMs: number;
  readonly maxSegmentBytes: number;
  /** Maximum number of samples of a part, whatever its timestamps are. */
  readonly maxPartSamples: number;
  /** Media time after which the packager no longer waits for the second track. */
  readonly secondTrackWaitMs: number;
  /** Media time within which one usable track must be configured. */
  readonly firstTrackWaitMs: number;
  readonly maxWaitingBytes: number;
  readonly maxWaitingPackets: number;
  /** Audio no longer waits for video that stalls for this long. */
  readonly stalledVideoMs: number;
  /** Minimum time between two discontinuities, so that a flapping encoder cannot fill playlists with them. */
  readonly minPeriodMs: number;
}

export const PACKAGER_LIMITS: PackagerLimits = {
  partMs: 500,
  segmentMs: 2000,
  longGopMs: 6000,
  maxSegmentMs: 10_400,
  maxSegmentBytes: 64 * 1024 * 1024,
  maxPartSamples: 4096,
  secondTrackWaitMs: 1000,
  firstTrackWaitMs: 5000,
  maxWaitingBytes: 16 * 1024 * 1024,
  maxWaitingPackets: 4096,
  stalledVideoMs: 3000,
  minPeriodMs: 1000,
};
