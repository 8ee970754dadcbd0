export interface Rendition {
  index: number;
  label: string;
}

/** What an engine reports. `lost` and `broken` are the last words of an engine: a new one has to be made. */
export interface EngineEvents {
  renditions: (list: readonly Rendition[]) => void;
  /** The rendition on screen now; -1 = unknown. */
  rendition: (index: number) => void;
  /** Nothing more can be loaded; what is buffered can still be shown. */
  lost: (reason: 'missing' | 'unreachable') => void;
  broken: () => void;
}

/** Feeds one <video> from one playlist until destroyed. */
export interface Engine {
  start: () => void;
  /** Stops loading and keeps what is buffered. */
  rest: () => void;
  /** Rendition by index; -1 = the engine chooses. */
  choose: (index: number) => void;
  /** Seconds between now and the picture on screen; null = not known. */
  latency: () => number | null;
  /** Position of "live" in the video's own time; null = not known. */
  livePosition: () => number | null;
  destroy: () => void;
}
