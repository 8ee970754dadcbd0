/** Seconds without progress after which an engine counts as stuck. */
const STALL_S = 8;
/**
 * Largest number of times that the timeout for a first frame doubles. It grows because every new engine loads
 * everything again, which takes long on a slow network.
 */
const MAX_DOUBLINGS = 3;

/** State of the <video> at one check. */
export interface WatchedVideo {
  /** Position in seconds. */
  readonly currentTime: number;
  /** Whether no progress is expected: paused, ended, hidden, or playing the rest of a lost stream. */
  readonly isResting: boolean;
}

/**
 * Decides when an engine is stuck and must be replaced. `check` must be called once a second. An engine without a first
 * frame can be stuck too: if a session ends before its first segment, the engine waits forever.
 */
export class StallWatch {
  #secondsWithoutProgress = 0;
  #lastTime = 0;
  /** Consecutive engines that were replaced without showing a frame. */
  #framelessEngines = 0;

  /** Restarts the timeout for a new engine. */
  onAttached(): void {
    this.#secondsWithoutProgress = 0;
  }

  /** Records that a frame was shown. */
  onFrame(): void {
    this.#secondsWithoutProgress = 0;
    this.#framelessEngines = 0;
  }

  /** @returns whether the engine is stuck; after true, the timeout starts again */
  check({ currentTime, isResting }: WatchedVideo, phase: 'connecting' | 'playing'): boolean {
    const isMoving = currentTime !== this.#lastTime;
    this.#lastTime = currentTime;
    this.#secondsWithoutProgress = isMoving || isResting ? 0 : this.#secondsWithoutProgress + 1;
    const limitSeconds = phase === 'playing' ? STALL_S : STALL_S * 2 ** this.#framelessEngines;
    if (this.#secondsWithoutProgress < limitSeconds) return false;
    this.#secondsWithoutProgress = 0;
    if (phase === 'connecting') this.#framelessEngines = Math.min(this.#framelessEngines + 1, MAX_DOUBLINGS);
    return true;
  }
}

/** Distance to the end of the buffer, in seconds, at which it counts as played. */
const DRAINED_S = 0.3;

/** Whether the buffer has been played to its end, or playback is paused. */
export function isDrained({ buffered, currentTime, paused }: HTMLVideoElement): boolean {
  const end = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
  return paused || end - currentTime <= DRAINED_S;
}
