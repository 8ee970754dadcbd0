/** Measurements of a publish over a few seconds, taken without decoding. */
export interface HealthSample {
  /** Received bits per second. */
  readonly bitrate: number;
  readonly videoBitrate: number;
  readonly audioBitrate: number;
  /** The packaged video track; null without one. */
  readonly video: { readonly codec: string; readonly width: number; readonly height: number } | null;
  readonly audio: { readonly codec: string; readonly sampleRate: number; readonly channels: number } | null;
  /** Frames per second of media time; null without a video track. */
  readonly fps: number | null;
  /** Longest recent keyframe interval in seconds; null until known. */
  readonly keyframeInterval: number | null;
  /** Maximum delay between decoding and presentation in ms, caused by B-frames. */
  readonly reorder: number;
  /** Number of jumps in the publisher's timestamps. */
  readonly jumps: number;
  /** Growth of the audio's delay against the video since the publish started, in ms. */
  readonly drift: number | null;
  /** Ratio of received media time to real time. 1 = real time. */
  readonly speed: number;
  /** Speed of the slowest rendition relative to the source; null without renditions. */
  readonly transcodeSpeed: number | null;
  /** Longest time without media, in ms; it may have begun before the sample. */
  readonly silence: number;
  /** How much later than due the media was published, at worst, in ms; null if none was. */
  readonly lateness: number | null;
}
