/** What was measured of a publish within some seconds, without decoding anything. */
export interface HealthSample {
  /** Bits a second that arrived. */
  readonly bitrate: number;
  readonly videoBitrate: number;
  readonly audioBitrate: number;
  /** What is packaged; null where there is no such track. */
  readonly video: { readonly codec: string; readonly width: number; readonly height: number } | null;
  readonly audio: { readonly codec: string; readonly sampleRate: number; readonly channels: number } | null;
  /** Pictures a second of media time; null without a picture track. */
  readonly fps: number | null;
  /** Longest recent distance between two keyframes in seconds; null until it is known. */
  readonly keyframeInterval: number | null;
  /** How much later than decoded a picture is shown at most, ms: what B-frames cost. */
  readonly reorder: number;
  /** How often the publisher's time stamps jumped. */
  readonly jumps: number;
  /** How much later than at the begin of the publish sound arrives in relation to the picture, ms. */
  readonly drift: number | null;
  /** Media time received per real time. 1 = real time. */
  readonly speed: number;
  /** The same of the slowest rendition against the source; null where there is none. */
  readonly transcodeSpeed: number | null;
}
