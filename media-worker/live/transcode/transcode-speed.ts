import type { Renditions } from '@/media-worker/media/packaging/rendition';

interface Point {
  readonly sourceMs: number;
  readonly madeMs: number;
}

/** Number of samples. Parts are half a second long, so fewer samples would give inaccurate speeds. */
const points = 6;
const enough = 3;

/** Measures the speed of renditions relative to their source by the ends of their windows. */
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
