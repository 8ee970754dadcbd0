/** Seconds without progress after which playback counts as stalled. */
const STALL_S = 8;
/**
 * Limit of how often the timeout for a first frame doubles: a new engine loads everything again, which a slow network
 * delays further.
 */
const MAX_DOUBLINGS = 3;

export interface WatchedVideo {
  readonly currentTime: number;
  /** Whether no progress is expected: paused, ended, hidden, or playing the rest of a lost stream. */
  readonly resting: boolean;
}

/**
 * Decides when an engine is stuck and must be replaced. Called once a second. An engine can also wait forever for its
 * first frame: a broadcast that ended before its first segment leaves nothing to load.
 */
export class StallWatch {
  #still = 0;
  #lastTime = 0;
  /** Consecutive engines that were replaced without showing a frame. */
  #fruitless = 0;

  /** A new engine was attached. */
  onAttached(): void {
    this.#still = 0;
  }

  /** Records that a frame was shown. */
  frame(): void {
    this.#still = 0;
    this.#fruitless = 0;
  }

  /** @returns whether the engine is stuck; true once, then counting restarts */
  check({ currentTime, resting }: WatchedVideo, phase: 'connecting' | 'playing'): boolean {
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

/** Whether the last buffered frame is on screen, or playback is paused. */
export function isDrained({ buffered, currentTime, paused }: HTMLVideoElement): boolean {
  const end = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
  return paused || end - currentTime <= DRAINED_S;
}
