/** Measurements of a publish over a few seconds, taken without decoding. */
export interface HealthSample {
  /** Received bits per second. */
  readonly bitrate: number;
  readonly videoBitrate: number;
  readonly audioBitrate: number;
  /** The packaged track; null if there is none. */
  readonly video: { readonly codec: string; readonly width: number; readonly height: number } | null;
  readonly audio: { readonly codec: string; readonly sampleRate: number; readonly channels: number } | null;
  /** Frames per second of media time; null without a video track. */
  readonly fps: number | null;
  /** Longest recent distance between two keyframes in seconds; null until it is known. */
  readonly keyframeInterval: number | null;
  /** Maximum delay between decoding and presentation in ms, caused by B-frames. */
  readonly reorder: number;
  /** How often the publisher's time stamps jumped. */
  readonly jumps: number;
  /** How much the audio's delay against the video has grown since the publish started, in ms. */
  readonly drift: number | null;
  /** Media time received per real time. 1 = real time. */
  readonly speed: number;
  /** Speed of the slowest rendition relative to the source; null without renditions. */
  readonly transcodeSpeed: number | null;
}
