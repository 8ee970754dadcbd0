import type { Renditions } from '@/media-worker/media/packaging/rendition';

interface Point {
  readonly sourceMs: number;
  readonly madeMs: number;
}

/** Parts are half a second long: over fewer samples, speeds would be guesses. */
const points = 6;
const enough = 3;

/** The speed of renditions in relation to their source, measured at the ends of their windows. */
export class TranscodeSpeed {
  readonly #renditions: Renditions;
  readonly #samples = new Map<object, Point[]>();

  constructor(renditions: Renditions) {
    this.#renditions = renditions;
  }

  /**
   * Adds a point.
   * @returns the speed of the slowest rendition, 1 = real time; null when there is none to measure
   */
  sample(): number | null {
    const { source, all } = this.#renditions;
    const speeds: number[] = [];
    for (const rendition of all) {
      const madeMs = rendition.window.mediaEndMs;
      if (rendition === source || madeMs === 0) continue;
      const samples = [
        ...(this.#samples.get(rendition) ?? []),
        { sourceMs: source.window.mediaEndMs, madeMs },
      ];
      this.#samples.set(rendition, samples.slice(-points));
      const speed = speedOf(samples.slice(-points));
      if (speed !== null) speeds.push(speed);
    }
    for (const rendition of this.#samples.keys()) {
      if (!all.some((each) => each === rendition)) this.#samples.delete(rendition);
    }
    return speeds.length > 0 ? Math.min(...speeds) : null;
  }
}

function speedOf(samples: readonly Point[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || samples.length < enough || last.sourceMs <= first.sourceMs) return null;
  return (last.madeMs - first.madeMs) / (last.sourceMs - first.sourceMs);
}
