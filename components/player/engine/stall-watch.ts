/** Seconds without movement after which a picture that should move counts as stalled. */
const STALL_S = 8;
/**
 * The limit for a first picture doubles up to so often: a new engine loads everything again, which a slow network pays
 * for.
 */
const MAX_DOUBLINGS = 3;

export interface WatchedVideo {
  readonly currentTime: number;
  /** Nothing is expected to move: paused, ended, hidden, or the buffer of a lost stream plays out. */
  readonly resting: boolean;
}

/**
 * Decides when an engine is stuck and a new one has to be attached. One look a second. An engine can also wait for ever
 * for its first picture: a broadcast that ended before its first segment leaves it nothing to load.
 */
export class StallWatch {
  #still = 0;
  #lastTime = 0;
  /** Engines in a row that were given up without a picture. */
  #fruitless = 0;

  /** A new engine starts. */
  onAttached(): void {
    this.#still = 0;
  }

  /** Records that a frame was shown. */
  frame(): void {
    this.#still = 0;
    this.#fruitless = 0;
  }

  /** @returns whether the engine is stuck; true once, then counting starts again */
  look({ currentTime, resting }: WatchedVideo, phase: 'connecting' | 'playing'): boolean {
    const moving = currentTime !== this.#lastTime;
    this.#lastTime = currentTime;
    this.#still = moving || resting ? 0 : this.#still + 1;
    const limit = phase === 'playing' ? STALL_S : STALL_S * 2 ** this.#fruitless;
    if (this.#still < limit) return false;
    this.#still = 0;
    if (phase === 'connecting') this.#fruitless = Math.min(this.#fruitless + 1, MAX_DOUBLINGS);
    return true;
  }
}

const DRAINED_S = 0.3;

/** Whether the last buffered frame was shown, or playback is paused. */
export function isDrained({ buffered, currentTime, paused }: HTMLVideoElement): boolean {
  const end = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
  return paused || end - currentTime <= DRAINED_S;
}
