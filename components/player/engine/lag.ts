import type { Engine } from './engine';

/** Further behind than this a viewer is brought back, unless the latency that the stream aims at is large. */
const MOST_S = 10;
const TARGETS = 3;
/** Steps back of the position that an engine makes are shorter. */
const CHOSEN_STEP_S = 1;

/** Tells a viewer who has fallen behind from one who has gone back. One look a second. */
export class Lag {
  #last = Infinity;
  /** How far behind the viewer wants to be, in seconds. */
  #chosen = 0;

  /** @returns where playback is to continue; null: where it is */
  look(
    { currentTime, paused }: Pick<HTMLVideoElement, 'currentTime' | 'paused'>,
    engine: Pick<Engine, 'livePosition' | 'targetLatency'>,
  ): number | null {
    const edge = engine.livePosition();
    if (edge === null) return null;
    const behind = edge - currentTime;
    const isChosen = paused || currentTime < this.#last - CHOSEN_STEP_S;
    this.#last = currentTime;
    this.#chosen = isChosen ? behind : Math.min(this.#chosen, behind);
    return behind - this.#chosen > Math.max(TARGETS * (engine.targetLatency?.() ?? 0), MOST_S) ? edge : null;
  }
}
