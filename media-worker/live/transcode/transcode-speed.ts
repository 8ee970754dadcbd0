import type { Renditions } from '@/media-worker/media/packaging/rendition';

interface SpeedSample {
  readonly sourceMs: number;
  readonly renditionMs: number;
}

/** Number of samples of a measurement. Parts are half a second long, so fewer samples would give inaccurate speeds. */
const MAX_SAMPLES = 6;
const MIN_SAMPLES = 3;

/** Measures the speed of renditions relative to their source by the ends of their windows. */
export class TranscodeSpeed {
  readonly #renditions: Renditions;
  readonly #samples = new Map<object, SpeedSample[]>();

  constructor(renditions: Renditions) {
    this.#renditions = renditions;
  }

  /**
   * Adds a sample.
   * @returns the speed of the slowest rendition, where 1 is real time; null without enough samples
   */
  sample(): number | null {
    const { source, all } = this.#renditions;
    const speeds: number[] = [];
    for (const rendition of all) {
      const renditionMs = rendition.window.mediaEndMs;
      if (rendition === source || renditionMs === 0) continue;
      const samples = [
        ...(this.#samples.get(rendition) ?? []),
        { sourceMs: source.window.mediaEndMs, renditionMs },
      ];
      this.#samples.set(rendition, samples.slice(-MAX_SAMPLES));
      const speed = speedOf(samples.slice(-MAX_SAMPLES));
      if (speed !== null) speeds.push(speed);
    }
    for (const rendition of this.#samples.keys()) {
      if (!all.some((candidate) => candidate === rendition)) this.#samples.delete(rendition);
    }
    return speeds.length > 0 ? Math.min(...speeds) : null;
  }
}

function speedOf(samples: readonly SpeedSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || samples.length < MIN_SAMPLES || last.sourceMs <= first.sourceMs) return null;
  return (last.renditionMs - first.renditionMs) / (last.sourceMs - first.sourceMs);
}
