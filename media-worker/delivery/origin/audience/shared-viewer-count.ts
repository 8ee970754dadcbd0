import { findCountingOrigin, homeOf } from '@/lib/core/nodes/playback-home';
import type { Clock } from '@/lib/infra/clock';
import { MAX_PLAYBACKS_PER_REPORT, type SeenPlayback } from '@/lib/domain/nodes';
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
  /** Reports at most `MAX_PLAYBACKS_PER_REPORT` playbacks to another origin. Rejects if the origin does not respond. */
  readonly report: (url: string, playbacks: readonly SeenPlayback[]) => Promise<void>;
  /** Maximum number of playbacks to report. The home origin still counts what it serves itself. */
  readonly maxForeignPlaybacks?: number;
}

const DEFAULT_MAX_FOREIGN_PLAYBACKS = 50_000;
/** Time after which no further report of an exchange is sent to an origin; the rest is dropped. */
const REPORT_TIMEOUT_MS = 4_000;

/**
 * Lets exactly one origin count each playback, whichever origins serve it. Playbacks of other origins are collected and
 * reported to their origin every few seconds. A single origin has no other origins' playbacks and reports nothing.
 */
export class SharedViewerCount {
  readonly #options: SharedViewerCountOptions;
  /** Prefix of the tokens that this origin issued (`homeOf`). */
  readonly #home: string;
  readonly #maxForeignPlaybacks: number;
  /** Playbacks that this origin served since the last exchange, and whose home is another origin: token → playback id. */
  #foreignPlaybacks = new Map<string, string>();
  /** Playbacks that other origins reported because their home origin is gone: token → playback id. */
  #reportedPlaybacks = new Map<string, string>();
  #origins: readonly Origin[] = [];

  constructor(options: SharedViewerCountOptions) {
    this.#options = options;
    this.#home = homeOf(options.nodeId);
    this.#maxForeignPlaybacks = options.maxForeignPlaybacks ?? DEFAULT_MAX_FOREIGN_PLAYBACKS;
  }

  /**
   * Records that a playback is active.
   * @param playback token of the viewer, or a hash after the home of its origin
   * @returns whether the playback is known
   */
  touch(playbackId: string, playback: string): boolean {
    if (this.#isCountedHere(playback)) return this.#options.count.touch(playbackId, playback);
    return this.#foreignPlaybacks.get(playback) === playbackId;
  }

  /** Records that a media playlist was sent to this playback. */
  recordPlaylist(playbackId: string, playback: string): void {
    if (this.#isCountedHere(playback)) this.#options.count.recordPlaylist(playbackId, playback);
    else if (this.#foreignPlaybacks.size < this.#maxForeignPlaybacks)
      this.#foreignPlaybacks.set(playback, playbackId);
  }

  /** Adds playbacks that this origin counts and another one served. */
  receive(playbacks: readonly SeenPlayback[]): void {
    for (const [playbackId, playback] of playbacks) {
      if (this.#isCountedHere(playback)) this.#options.count.recordPlaylist(playbackId, playback);
      else if (this.#reportedPlaybacks.size < this.#maxForeignPlaybacks)
        this.#reportedPlaybacks.set(playback, playbackId);
    }
  }

  /** Reports collected playbacks to their home origins, and adopts those that fall to this one. */
  async exchange(): Promise<void> {
    const { nodeId, count } = this.#options;
    const [foreignPlaybacks, reportedPlaybacks] = [this.#foreignPlaybacks, this.#reportedPlaybacks];
    if (foreignPlaybacks.size === 0 && reportedPlaybacks.size === 0 && !count.hasAdopted) return;
    this.#foreignPlaybacks = new Map();
    this.#reportedPlaybacks = new Map();
    const origins = await this.#readRunningOrigins();
    const ids = origins.map(({ id }) => id);
    // An origin that is missing from the list sends no heartbeats, and cannot tell which others are gone.
    if (!ids.includes(nodeId)) return;
    count.retainAdopted((playback) => findCountingOrigin(playback, ids) === nodeId);
    for (const [playback, playbackId] of reportedPlaybacks) {
      if (findCountingOrigin(playback, ids) === nodeId) count.adopt(playbackId, playback);
    }
    const reports = new Map<string, SeenPlayback[]>(ids.map((id) => [id, []]));
    for (const [playback, playbackId] of foreignPlaybacks) {
      const countingNodeId = findCountingOrigin(playback, ids);
      if (countingNodeId === nodeId) count.adopt(playbackId, playback);
      else if (countingNodeId !== undefined) reports.get(countingNodeId)?.push([playbackId, playback]);
    }
    await Promise.all(origins.map(({ id, url }) => this.#report(url, reports.get(id) ?? [])));
  }

  #isCountedHere(playback: string): boolean {
    return playback.startsWith(this.#home);
  }

  /**
   * The running origins. While the database is unavailable, the last list stays valid: an outage says nothing about origins.
   */
  async #readRunningOrigins(): Promise<readonly Origin[]> {
    this.#origins = await this.#options.origins().catch(() => this.#origins);
    return this.#origins;
  }

  async #report(url: string, playbacks: readonly SeenPlayback[]): Promise<void> {
    const { clock, report } = this.#options;
    const deadline = clock.monotonic() + REPORT_TIMEOUT_MS;
    for (
      let start = 0;
      start < playbacks.length && clock.monotonic() < deadline;
      start += MAX_PLAYBACKS_PER_REPORT
    ) {
      await report(url, playbacks.slice(start, start + MAX_PLAYBACKS_PER_REPORT));
    }
  }
}
