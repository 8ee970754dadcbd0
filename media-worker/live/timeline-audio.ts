const LONGEST_DRIFT_MS = 100;

/**
 * Turns the rounded, jittering millisecond stamps of audio into exact sample times. Frames follow each other without
 * a seam while the stamps agree; when they drift apart, the stamps win, so that sound stays with the picture.
 */
export class AudioClock {
  readonly #timescale: number;
  readonly #samplesPerFrame: number;
  readonly #tolerance: number;
  #next: number | undefined;

  constructor(timescale: number, samplesPerFrame: number) {
    this.#timescale = timescale;
    this.#samplesPerFrame = samplesPerFrame;
    // At low rates a frame alone is longer than the drift an ear forgives.
    this.#tolerance = Math.max((LONGEST_DRIFT_MS * timescale) / 1000, 3 * samplesPerFrame);
  }

  /** Start of the frame in samples; undefined when its time is taken already and it has to be dropped. */
  place(ms: number): number | undefined {
    const stamped = Math.round((ms * this.#timescale) / 1000);
    const seamless = this.#next ?? stamped;
    const drift = stamped - seamless;
    if (drift < -this.#tolerance) return undefined;
    const start = drift > this.#tolerance ? stamped : seamless;
    this.#next = start + this.#samplesPerFrame;
    return start;
  }
}
