import type { Engine } from './engine';

/** Latency in seconds, beyond what the viewer has chosen, above which the viewer is moved to the live edge. */
const MAX_LAG_S = 10;
/** The same limit as a multiple of the target latency of the stream. The larger limit applies. */
const MAX_LAG_IN_TARGET_LATENCIES = 3;
/** Shortest seek back, in seconds, that counts as a choice of the viewer. Seeks by the engine itself are shorter. */
const CHOSEN_STEP_S = 1;

/**
 * Distinguishes a viewer who has fallen behind from a viewer who went back on purpose. `check` must be called once
 * a second.
 */
export class LagWatch {
  #lastPosition = Infinity;
  /** Latency that the viewer has chosen, in seconds. */
  #chosenLatency = 0;

  /** @returns position of the live edge, in seconds, if the viewer has fallen behind, otherwise null */
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
      Math.max(MAX_LAG_IN_TARGET_LATENCIES * (engine.targetLatency?.() ?? 0), MAX_LAG_S)
      ? edge
      : null;
  }
}
