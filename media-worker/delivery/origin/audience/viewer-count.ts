import { MINUTE_MS } from '@/lib/core/units';
import type { Clock } from '@/lib/infra/clock';

/** The viewers of one stream at one origin since the previous sample. */
export interface ViewerSample {
  readonly playbackId: string;
  readonly viewers: number;
  /** Watched time since the last sample, summed over viewers. */
  readonly viewerSeconds: number;
  /** Playbacks started since the last sample. */
  readonly views: number;
  /** Age of the sample, ms. */
  readonly ageMs: number;
}

export interface ViewerLimits {
  /** A playback without a playlist request for this long no longer counts as watching. */
  readonly watchingTimeoutMs: number;
  /** A playback that returns within this time is the same view. */
  readonly viewTimeoutMs: number;
  /** Maximum number of playbacks remembered, of all streams; more are not counted. */
  readonly maxPlaybacks: number;
  /** Maximum number of samples kept during a database outage; beyond it, the oldest are dropped. */
  readonly maxPendingSamples: number;
}

const defaultLimits: ViewerLimits = {
  watchingTimeoutMs: 20_000,
  viewTimeoutMs: 30 * MINUTE_MS,
  maxPlaybacks: 200_000,
  maxPendingSamples: 20_000,
};

type Write = (samples: readonly ViewerSample[]) => Promise<void>;
type PendingSample = Omit<ViewerSample, 'ageMs'> & { readonly sampledAt: number };

/** Playbacks of one stream, with the time of their last request in monotonic milliseconds. */
class Audience {
  readonly playbacks = new Map<string, number>();
  /** Playbacks of origins that are gone, which already counted the view. */
  readonly adoptedPlaybacks = new Map<string, number>();
  views = 0;
  /** Viewers at the last sample. */
  viewers = 0;
}

/** Counts viewers in memory and writes changes in one batch every few seconds, never per request. */
export class ViewerCount {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #write: Write;
  readonly #limits: ViewerLimits;
  readonly #audiences = new Map<string, Audience>();
  #playbackCount = 0;
  #adoptedCount = 0;
  #sampledAt: number;
  #pendingSamples: PendingSample[] = [];

  constructor(clock: Pick<Clock, 'monotonic'>, write: Write, limits: Partial<ViewerLimits> = {}) {
    this.#clock = clock;
    this.#write = write;
    this.#limits = { ...defaultLimits, ...limits };
    this.#sampledAt = clock.monotonic();
  }

  /** Viewers of all streams at the last sample. */
  get viewers(): number {
    return [...this.#audiences.values()].reduce((sum, { viewers }) => sum + viewers, 0);
  }

  /** Whether this playback is known; records its activity if so. */
  touch(playbackId: string, playback: string): boolean {
    const audience = this.#audiences.get(playbackId);
    if (!audience?.playbacks.has(playback)) return false;
    audience.playbacks.set(playback, this.#clock.monotonic());
    return true;
  }

  /** Records that a media playlist was sent to this playback. */
  recordPlaylist(playbackId: string, playback: string): void {
    if (this.touch(playbackId, playback) || this.#isFull) return;
    const audience = this.#audienceOf(playbackId);
    audience.playbacks.set(playback, this.#clock.monotonic());
    audience.views += 1;
    this.#playbackCount += 1;
  }

  /** Whether this origin currently counts playbacks of origins that are gone. */
  get hasAdopted(): boolean {
    return this.#adoptedCount > 0;
  }

  /** Counts the playback of a lost origin as a viewer, without a new view. */
  adopt(playbackId: string, playback: string): void {
    const isKnown = this.#audiences.get(playbackId)?.adoptedPlaybacks.has(playback) ?? false;
    if (!isKnown && this.#isFull) return;
    this.#audienceOf(playbackId).adoptedPlaybacks.set(playback, this.#clock.monotonic());
    if (!isKnown) this.#adoptedCount += 1;
  }

  /** Stops counting the adopted playbacks for which `keeps` is false. */
  retainAdopted(keeps: (playback: string) => boolean): void {
    for (const { adoptedPlaybacks } of this.#audiences.values()) {
      for (const playback of adoptedPlaybacks.keys()) {
        if (!keeps(playback)) this.#adoptedCount -= Number(adoptedPlaybacks.delete(playback));
      }
    }
  }

  /** Samples the current viewers. Does not block. */
  sample(): void {
    const now = this.#clock.monotonic();
    const seconds = (now - this.#sampledAt) / 1_000;
    this.#sampledAt = now;
    for (const [playbackId, audience] of this.#audiences) {
      const { views } = audience;
      const viewersBefore = audience.viewers;
      const viewers = this.#countWatching(audience, now) + this.#countAdopted(audience, now);
      audience.viewers = viewers;
      audience.views = 0;
      if (audience.playbacks.size + audience.adoptedPlaybacks.size === 0) this.#audiences.delete(playbackId);
      // A final 0 is written, so that the current count returns to 0.
      if (viewers === 0 && viewersBefore === 0 && views === 0) continue;
      this.#pendingSamples.push({
        playbackId,
        viewers,
        viewerSeconds: viewers * seconds,
        views,
        sampledAt: now,
      });
    }
    if (this.#pendingSamples.length > this.#limits.maxPendingSamples) {
      this.#pendingSamples = this.#pendingSamples.slice(-this.#limits.maxPendingSamples);
    }
  }

  /** Writes the samples. Rejects on failure and keeps them for the next call. */
  async flush(): Promise<void> {
    const samples = this.#pendingSamples;
    if (samples.length === 0) return;
    this.#pendingSamples = [];
    const now = this.#clock.monotonic();
    try {
      await this.#write(samples.map(({ sampledAt, ...sample }) => ({ ...sample, ageMs: now - sampledAt })));
    } catch (error) {
      this.#pendingSamples = [...samples, ...this.#pendingSamples];
      throw error;
    }
  }

  get #isFull(): boolean {
    return this.#playbackCount + this.#adoptedCount >= this.#limits.maxPlaybacks;
  }

  #audienceOf(playbackId: string): Audience {
    let audience = this.#audiences.get(playbackId);
    if (!audience) this.#audiences.set(playbackId, (audience = new Audience()));
    return audience;
  }

  #countAdopted({ adoptedPlaybacks }: Audience, now: number): number {
    for (const [playback, seenAt] of adoptedPlaybacks) {
      if (now - seenAt > this.#limits.watchingTimeoutMs)
        this.#adoptedCount -= Number(adoptedPlaybacks.delete(playback));
    }
    return adoptedPlaybacks.size;
  }

  #countWatching({ playbacks }: Audience, now: number): number {
    const { watchingTimeoutMs, viewTimeoutMs } = this.#limits;
    let viewers = 0;
    for (const [playback, seenAt] of playbacks) {
      if (now - seenAt <= watchingTimeoutMs) viewers += 1;
      else if (now - seenAt > viewTimeoutMs) {
        playbacks.delete(playback);
        this.#playbackCount -= 1;
      }
    }
    return viewers;
  }
}
