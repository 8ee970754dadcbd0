import { countingOrigin, homeOf } from '@/lib/core/nodes/playback-home';
import type { Clock } from '@/lib/infra/clock';
import { maxReported, type SeenPlayback } from '@/lib/domain/nodes';
import type { ViewerCount } from './viewer-count';

interface Origin {
  readonly id: string;
  readonly url: string;
}

interface SharedViewerCountOptions {
  readonly nodeId: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly count: ViewerCount;
  /** Running origins, including this one. */
  readonly origins: () => Promise<readonly Origin[]>;
  /** Reports at most `maxReported` playbacks to another origin; rejects when it does not answer. */
  readonly report: (url: string, playbacks: readonly SeenPlayback[]) => Promise<void>;
  readonly maxNoted?: number;
}

/** Maximum number of playbacks to report; the home origin still counts what it serves itself. */
const defaultMaxNoted = 50_000;
/** Timeout for all reports to one origin; the rest is dropped. */
const reportingMs = 4_000;

/**
 * Lets exactly one origin count each playback, whichever origins serve it. Playbacks of other origins are collected and
 * reported to their origin every few seconds. A single origin has no other origins' playbacks and reports nothing.
 */
export class SharedViewerCount {
  readonly #options: SharedViewerCountOptions;
  readonly #home: string;
  readonly #maxNoted: number;
  /** Playbacks of other home origins since the last exchange: token → playback id. */
  #ownPlaybacks = new Map<string, string>();
  /** Playbacks reported by other origins that consider the home origin gone. */
  #reportedPlaybacks = new Map<string, string>();
  #origins: readonly Origin[] = [];

  constructor(options: SharedViewerCountOptions) {
    this.#options = options;
    this.#home = homeOf(options.nodeId);
    this.#maxNoted = options.maxNoted ?? defaultMaxNoted;
  }

  /** Whether this playback is known; records its activity if so. */
  touch(playbackId: string, playback: string): boolean {
    if (this.#isOwn(playback)) return this.#options.count.touch(playbackId, playback);
    return this.#ownPlaybacks.get(playback) === playbackId;
  }

  /** A media playlist was sent to this playback. */
  saw(playbackId: string, playback: string): void {
    if (this.#isOwn(playback)) this.#options.count.saw(playbackId, playback);
    else if (this.#ownPlaybacks.size < this.#maxNoted) this.#ownPlaybacks.set(playback, playbackId);
  }

  /** Adds playbacks that this origin counts and another one served. */
  receive(playbacks: readonly SeenPlayback[]): void {
    for (const [playbackId, playback] of playbacks) {
      if (this.#isOwn(playback)) this.#options.count.saw(playbackId, playback);
      else if (this.#reportedPlaybacks.size < this.#maxNoted)
        this.#reportedPlaybacks.set(playback, playbackId);
    }
  }

  /** Reports collected playbacks to their home origins, and adopts those that fall to this one. */
  async exchange(): Promise<void> {
    const { nodeId, count } = this.#options;
    const [ownPlaybacks, reportedPlaybacks] = [this.#ownPlaybacks, this.#reportedPlaybacks];
    if (ownPlaybacks.size === 0 && reportedPlaybacks.size === 0 && !count.adopting) return;
    this.#ownPlaybacks = new Map();
    this.#reportedPlaybacks = new Map();
    const origins = await this.#running();
    const ids = origins.map(({ id }) => id);
    // An origin whose own heartbeats do not arrive cannot tell which others are gone.
    if (!ids.includes(nodeId)) return;
    count.keepAdopted((playback) => countingOrigin(playback, ids) === nodeId);
    for (const [playback, playbackId] of reportedPlaybacks) {
      if (countingOrigin(playback, ids) === nodeId) count.adopt(playbackId, playback);
    }
    const reports = new Map<string, SeenPlayback[]>(ids.map((id) => [id, []]));
    for (const [playback, playbackId] of ownPlaybacks) {
      const countingNode = countingOrigin(playback, ids);
      if (countingNode === nodeId) count.adopt(playbackId, playback);
      else if (countingNode !== undefined) reports.get(countingNode)?.push([playbackId, playback]);
    }
    await Promise.all(origins.map(({ id, url }) => this.#report(url, reports.get(id) ?? [])));
  }

  #isOwn(playback: string): boolean {
    return playback.startsWith(this.#home);
  }

  /**
   * The running origins. While the database is unavailable, the last list stays valid: an outage says nothing about origins.
   */
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
