import type { Engine } from './engine';

/**
 * Latency in seconds above which a viewer is moved to the live edge, unless the target latency of the stream is
 * larger.
 */
const MAX_SECONDS = 10;
const TARGETS = 3;
/** Seeks back by the engine itself are shorter than this, in seconds. */
const CHOSEN_STEP_S = 1;

/** Distinguishes a viewer who has fallen behind from one who has seeked back. Called once a second. */
export class Lag {
  #last = Infinity;
  /** Latency that the viewer has chosen, in seconds. */
  #chosen = 0;

  /** @returns the position to continue at; null: no change */
  check(
    { currentTime, paused }: Pick<HTMLVideoElement, 'currentTime' | 'paused'>,
    engine: Pick<Engine, 'livePosition' | 'targetLatency'>,
  ): number | null {
    const edge = engine.livePosition();
    if (edge === null) return null;
    const behind = edge - currentTime;
    const isChosen = paused || currentTime < this.#last - CHOSEN_STEP_S;
    this.#last = currentTime;
    this.#chosen = isChosen ? behind : Math.min(this.#chosen, behind);
    return behind - this.#chosen > Math.max(TARGETS * (engine.targetLatency?.() ?? 0), MAX_SECONDS)
      ? edge
      : null;
  }
}
