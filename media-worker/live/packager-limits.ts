/** Every number the packager cuts, waits or gives up by. Times in milliseconds. */
export interface PackagerLimits {
  /** Length of a part; cut at the frame boundary nearest to it. */
  readonly partMs: number;
  /** Shortest segment: the first keyframe from here on ends it. */
  readonly segmentMs: number;
  /** A keyframe interval this long is reported. */
  readonly longGopMs: number;
  /**
   * The first segment of a window ends here at the latest, keyframe or not; the others are no longer than it declared.
   */
  readonly maxSegmentMs: number;
  readonly maxSegmentBytes: number;
  /** A part ends here at the latest, whatever its time stamps claim. */
  readonly maxPartSamples: number;
  /** How much media may pass before the second track is given up. */
  readonly secondTrackWaitMs: number;
  /** How much media may pass until one usable track must have been configured. */
  readonly firstTrackWaitMs: number;
  readonly maxWaitingBytes: number;
  readonly maxWaitingPackets: number;
  /** If video stalls for this long, audio no longer waits for it. */
  readonly stalledVideoMs: number;
  /** Shortest time between two discontinuities, so that a flapping encoder cannot fill playlists with them. */
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
