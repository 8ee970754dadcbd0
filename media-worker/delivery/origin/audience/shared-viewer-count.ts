import { countingOrigin, homeOf } from '@/lib/core/nodes/playback-home';
import type { Clock } from '@/lib/infra/clock';
import { maxReported, type SeenPlayback } from '@/lib/domain/nodes';
import type { ViewerCount } from './viewer-count';

interface Origin {
  /** Node ID. */
  readonly id: string;
  readonly url: string;
}

interface SharedViewerCountOptions {
  /** Of this origin. */
  readonly nodeId: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly count: ViewerCount;
  /** Those that run, this one included. */
  readonly origins: () => Promise<readonly Origin[]>;
  /** Tells another origin of at most `maxReported` playbacks; rejects when it does not answer. */
  readonly report: (url: string, playbacks: readonly SeenPlayback[]) => Promise<void>;
  readonly maxNoted?: number;
}

/** What is over is not reported; its home still counts what it serves itself. */
const defaultMaxNoted = 50_000;
/** For all reports to one origin; the rest is left out. */
const reportingMs = 4_000;

/**
 * Lets each playback be counted by one origin, whichever serve it. Playbacks of others are noted in memory, and every few
 * seconds those that count them are told. Alone, an origin has only playbacks of its own, and asks nobody.
 */
export class SharedViewerCount {
  readonly #options: SharedViewerCountOptions;
  readonly #home: string;
  readonly #maxNoted: number;
  /** Of other homes, since the last exchange: token → playback id. */
  #ownPlaybacks = new Map<string, string>();
  /** The same as other origins told it, because they take the home for gone. */
  #reportedPlaybacks = new Map<string, string>();
  #origins: readonly Origin[] = [];

  constructor(options: SharedViewerCountOptions) {
    this.#options = options;
    this.#home = homeOf(options.nodeId);
    this.#maxNoted = options.maxNoted ?? defaultMaxNoted;
  }

  /** Whether this playback is known; if so, refreshes it. */
  touch(playbackId: string, playback: string): boolean {
    if (this.#isOwn(playback)) return this.#options.count.touch(playbackId, playback);
    return this.#ownPlaybacks.get(playback) === playbackId;
  }

  /** A media playlist went to this playback. */
  saw(playbackId: string, playback: string): void {
    if (this.#isOwn(playback)) this.#options.count.saw(playbackId, playback);
    else if (this.#ownPlaybacks.size < this.#maxNoted) this.#ownPlaybacks.set(playback, playbackId);
  }

  /** Playbacks that this origin counts and another one served. */
  receive(playbacks: readonly SeenPlayback[]): void {
    for (const [playbackId, playback] of playbacks) {
      if (this.#isOwn(playback)) this.#options.count.saw(playbackId, playback);
      else if (this.#reportedPlaybacks.size < this.#maxNoted)
        this.#reportedPlaybacks.set(playback, playbackId);
    }
  }

  /** Reports what was noted to the origins that count it, and adopts what is left to this one. */
  async exchange(): Promise<void> {
    const { nodeId, count } = this.#options;
    const [ownPlaybacks, reportedPlaybacks] = [this.#ownPlaybacks, this.#reportedPlaybacks];
    if (ownPlaybacks.size === 0 && reportedPlaybacks.size === 0 && !count.adopting) return;
    this.#ownPlaybacks = new Map();
    this.#reportedPlaybacks = new Map();
    const origins = await this.#running();
    const ids = origins.map(({ id }) => id);
    // An origin whose own announcements do not arrive cannot tell who is gone.
    if (!ids.includes(nodeId)) return;
    count.keepAdopted((playback) => countingOrigin(playback, ids) === nodeId);
    for (const [playback, playbackId] of reportedPlaybacks) {
      if (countingOrigin(playback, ids) === nodeId) count.adopt(playbackId, playback);
    }
    const reports = new Map<string, SeenPlayback[]>(ids.map((id) => [id, []]));
    for (const [playback, playbackId] of ownPlaybacks) {
      const counting = countingOrigin(playback, ids);
      if (counting === nodeId) count.adopt(playbackId, playback);
      else if (counting !== undefined) reports.get(counting)?.push([playbackId, playback]);
    }
    await Promise.all(origins.map(({ id, url }) => this.#report(url, reports.get(id) ?? [])));
  }

  #isOwn(playback: string): boolean {
    return playback.startsWith(this.#home);
  }

  /** As last known while the database is away: that says nothing about the origins. */
  async #running(): Promise<readonly Origin[]> {
    this.#origins = await this.#options.origins().catch(() => this.#origins);
    return this.#origins;
  }

  async #report(url: string, playbacks: readonly SeenPlayback[]): Promise<void> {
    const { clock, report } = this.#options;
    const until = clock.monotonic() + reportingMs;
    for (let from = 0; from < playbacks.length && clock.monotonic() < until; from += maxReported) {
      await report(url, playbacks.slice(from, from + maxReported));
    }
  }
}
