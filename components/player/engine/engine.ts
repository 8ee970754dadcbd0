import type { FallbackReason } from './fallback';

/** Rendition that the viewer can choose. */
export interface Rendition {
  /** Index by which the engine knows the rendition. */
  index: number;
  /** "720p", or the bitrate of audio. */
  label: string;
}

/** Audio track that the viewer can choose. */
export interface AudioTrack {
  /** Index by which the engine knows the track. */
  index: number;
  /** Name or language; may be empty. */
  label: string;
}

/** Facts that only the engine knows; null if unknown. */
export interface EngineFacts {
  /** Name and version of the engine, such as "hls.js 1.7.4". */
  name: string;
  /** Bitrate of the rendition on screen, in bit/s. */
  bitrate: number | null;
  /** Codecs of the rendition on screen, separated by commas. */
  codecs: string | null;
  /** Bitrate of the lowest rendition, in bit/s. */
  lowestBitrate: number | null;
  /** Estimated bandwidth of the network, in bit/s. */
  bandwidth: number | null;
}

/** Why nothing more can be loaded. `unplayable`: the browser decodes none of the renditions. */
export type LossReason = 'missing' | 'unreachable' | 'unplayable';

/** Callbacks of an engine. After `sourceLost`, `fatalError` or `fellBack` the engine must be replaced. */
export interface EngineEvents {
  renditions: (list: readonly Rendition[]) => void;
  /** Index of the rendition on screen; -1 = unknown. */
  rendition: (index: number) => void;
  /** Audio tracks if there are several, and the index of the current track. */
  audioTracks: (list: readonly AudioTrack[], audioTrack: number) => void;
  /** Called when nothing more can be loaded. Buffered media can still be played. */
  sourceLost: (reason: LossReason) => void;
  /** Called after an error from which only a new engine can recover. */
  fatalError: () => void;
  /** Called when WebRTC cannot play the stream and HLS should be used. */
  fellBack: (reason: FallbackReason) => void;
  /** Called after the engine has attached the media again to recover from an error, which pauses the <video>. */
  recovered: () => void;
}

/** Feeds one <video> from one playlist until destroyed. */
export interface Engine {
  /** Starts loading. It must be called once. */
  start: () => void;
  /** Stops loading. What is buffered can still be played. */
  stopLoading: () => void;
  /** Chooses a rendition by index; -1 = automatic. */
  chooseRendition: (index: number) => void;
  /** Chooses an audio track by index. */
  chooseAudio: (index: number) => void;
  /** Whether the engine may speed up playback to stay near the live edge; off while the viewer has chosen a speed. */
  setCatchUp: (isEnabled: boolean) => void;
  facts: () => EngineFacts;
  /** Delay of the frame on screen behind the encoder, in seconds, measured or estimated; null = unknown. */
  latency: () => number | null;
  /** Position of the live edge in seconds of the video; null = unknown. */
  livePosition: () => number | null;
  /** Distance that the engine keeps to the end of a live playlist, in seconds; absent: unknown. */
  targetLatency?: () => number;
  /** Time at which this second of the video was sent, in Unix milliseconds; null = not in the playlist. */
  dateAt: (seconds: number) => number | null;
  /** Stops the engine and detaches it from the <video>. */
  destroy: () => void;
}
