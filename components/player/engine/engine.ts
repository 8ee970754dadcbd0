import type { FallbackReason } from './fallback';

export interface Rendition {
  index: number;
  label: string;
}

export interface AudioTrack {
  index: number;
  label: string;
}

/** Facts that only the engine knows; null if unknown. */
export interface EngineFacts {
  /** "hls.js 1.7.4" */
  name: string;
  /** Bitrate of the rendition on screen, in bit/s. */
  bitrate: number | null;
  codecs: string | null;
  /** Bitrate of the lowest rendition, in bit/s. */
  lowestBitrate: number | null;
  /** Estimate of the network, bits per second. */
  bandwidth: number | null;
}

/** `unplayable`: the browser decodes none of the renditions. */
export type LossReason = 'missing' | 'unreachable' | 'unplayable';

/** What an engine reports. `lost`, `broken` and `fellBack` are the last words of an engine: a new one has to be made. */
export interface EngineEvents {
  renditions: (list: readonly Rendition[]) => void;
  /** The rendition on screen now; -1 = unknown. */
  rendition: (index: number) => void;
  /** More than one of them, and which is heard. */
  audioTracks: (list: readonly AudioTrack[], audioTrack: number) => void;
  /** Nothing more can be loaded; what is buffered can still be shown. */
  sourceLost: (reason: LossReason) => void;
  fatalError: () => void;
  /** WebRTC cannot play it here; HLS can. */
  fellBack: (reason: FallbackReason) => void;
  /** The media was attached again after an error, which stops the <video>. */
  recovered: () => void;
}

/** Feeds one <video> from one playlist until destroyed. */
export interface Engine {
  start: () => void;
  /** Stops loading and keeps what is buffered. */
  releaseResources: () => void;
  /** Rendition by index; -1 = the engine chooses. */
  choose: (index: number) => void;
  chooseAudio: (index: number) => void;
  /** Whether playback may run faster on its own to stay near the live edge; off while the viewer chose a speed. */
  keepUp: (on: boolean) => void;
  facts: () => EngineFacts;
  /** Seconds between now and the picture on screen; null = not known. */
  latency: () => number | null;
  /** Position of "live" in the video's own time; null = not known. */
  livePosition: () => number | null;
  /** Seconds that the engine keeps behind the end of a live playlist; absent: not known. */
  targetLatency?: () => number;
  /** When what is at this second of the video was sent, ms since 1970; null = the playlist does not say. */
  dateAt: (seconds: number) => number | null;
  destroy: () => void;
}
