import type { Engine } from './engine';

/**
 * Latency in seconds, beyond what the viewer has chosen, at which the viewer is moved to the live edge. Three target
 * latencies of the stream apply instead if they are longer.
 */
const MAX_LAG_S = 10;
const MAX_LAG_TARGETS = 3;
/** Seeks back by the engine itself are shorter than this, in seconds. */
const CHOSEN_STEP_S = 1;

/**
 * Distinguishes a viewer who has fallen behind from a viewer who went back on purpose. `check` must be called once
 * a second.
 */
export class Lag {
  #lastPosition = Infinity;
  /** Latency that the viewer has chosen, in seconds. */
  #chosenLatency = 0;

  /** @returns the live edge if the viewer has fallen behind, otherwise null */
  check(
    { currentTime, paused }: Pick<HTMLVideoElement, 'currentTime' | 'paused'>,
    engine: Pick<Engine, 'livePosition' | 'targetLatency'>,
  ): number | null {
    const edge = engine.livePosition();
    if (edge === null) return null;
    const latency = edge - currentTime;
    const isChosen = paused || currentTime < this.#lastPosition - CHOSEN_STEP_S;
    this.#lastPosition = currentTime;
    this.#chosenLatency = isChosen ? latency : Math.min(this.#chosenLatency, latency);
    return latency - this.#chosenLatency >
      Math.max(MAX_LAG_TARGETS * (engine.targetLatency?.() ?? 0), MAX_LAG_S)
      ? edge
      : null;
  }
}
