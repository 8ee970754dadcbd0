import type { Renditions } from '@/media-worker/media/packaging/rendition';

interface Point {
  readonly sourceMs: number;
  readonly madeMs: number;
}

/** Parts are half a second long: over less time than some samples, speeds would be guesses. */
const points = 6;
const enough = 3;

/** How fast renditions are made in relation to their source, by where their windows end. */
export class TranscodeSpeed {
  readonly #renditions: Renditions;
  readonly #seen = new Map<object, Point[]>();

  constructor(renditions: Renditions) {
    this.#renditions = renditions;
  }

  /** One more point. @returns the speed of the slowest, 1 = keeps up; null while there is none to measure */
  sample(): number | null {
    const { source, all } = this.#renditions;
    const speeds: number[] = [];
    for (const rendition of all) {
      const madeMs = rendition.window.mediaEndMs;
      if (rendition === source || madeMs === 0) continue;
      const seen = [...(this.#seen.get(rendition) ?? []), { sourceMs: source.window.mediaEndMs, madeMs }];
      this.#seen.set(rendition, seen.slice(-points));
      const speed = speedOf(seen.slice(-points));
      if (speed !== null) speeds.push(speed);
    }
    for (const rendition of this.#seen.keys()) {
      if (!all.some((each) => each === rendition)) this.#seen.delete(rendition);
    }
    return speeds.length > 0 ? Math.min(...speeds) : null;
  }
}

function speedOf(seen: readonly Point[]): number | null {
  const [first, last] = [seen[0], seen.at(-1)];
  if (!first || !last || seen.length < enough || last.sourceMs <= first.sourceMs) return null;
  return (last.madeMs - first.madeMs) / (last.sourceMs - first.sourceMs);
}
