import type { Clock } from '@/lib/infra/clock';

/** What one origin saw of one stream since the sample before. */
export interface ViewerSample {
  readonly playbackId: string;
  /** Current viewers. */
  readonly viewers: number;
  /** Time watched since the last sample, summed over the viewers. */
  readonly viewerSeconds: number;
  /** Playbacks started since then. */
  readonly views: number;
  /** How long ago this was, milliseconds. */
  readonly ageMs: number;
}

export interface ViewerLimits {
  /** A playback without a playlist request for this long no longer counts as watching … */
  readonly presentMs: number;
  /** … but is the same playback if it returns within this time. */
  readonly rememberedMs: number;
  /** Playbacks that are remembered at the same time, of all streams; more are not counted. */
  readonly maxPlaybacks: number;
  /** Samples kept during a database outage. */
  readonly maxWaiting: number;
}

const defaultLimits: ViewerLimits = {
  presentMs: 20_000,
  rememberedMs: 1_800_000,
  maxPlaybacks: 200_000,
  maxWaiting: 20_000,
};

type Write = (samples: readonly ViewerSample[]) => Promise<void>;
type Waiting = Omit<ViewerSample, 'ageMs'> & { readonly at: number };

/** One stream: when each playback last made a request. */
class Audience {
  readonly playbacks = new Map<string, number>();
  /** The same of playbacks whose origin is gone: that one counted them as views. */
  readonly adoptedPlaybacks = new Map<string, number>();
  views = 0;
  /** At the last sample. */
  viewers = 0;
}

/** Counts viewers in memory and writes changes in one batch every few seconds, never per request. */
export class ViewerCount {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #write: Write;
  readonly #limits: ViewerLimits;
  readonly #audiences = new Map<string, Audience>();
  #playbacks = 0;
  #adoptedCount = 0;
  #sampledAt: number;
  #waiting: Waiting[] = [];

  constructor(clock: Pick<Clock, 'monotonic'>, write: Write, limits: Partial<ViewerLimits> = {}) {
    this.#clock = clock;
    this.#write = write;
    this.#limits = { ...defaultLimits, ...limits };
    this.#sampledAt = clock.monotonic();
  }

  /** Of all streams, at the last sample. */
  get viewers(): number {
    return [...this.#audiences.values()].reduce((sum, { viewers }) => sum + viewers, 0);
  }

  /** Whether this playback is known; if so, refreshes it. */
  touch(playbackId: string, playback: string): boolean {
    const audience = this.#audiences.get(playbackId);
    if (!audience?.playbacks.has(playback)) return false;
    audience.playbacks.set(playback, this.#clock.monotonic());
    return true;
  }

  /** A media playlist went to this playback. */
  saw(playbackId: string, playback: string): void {
    if (this.touch(playbackId, playback) || this.#full) return;
    const audience = this.#audienceOf(playbackId);
    audience.playbacks.set(playback, this.#clock.monotonic());
    audience.views += 1;
    this.#playbacks += 1;
  }

  /** Whether playbacks of origins that are gone count here. */
  get adopting(): boolean {
    return this.#adoptedCount > 0;
  }

  /** Counts the playback of an origin that is gone as a viewer, but as no view. */
  adopt(playbackId: string, playback: string): void {
    const isKnown = this.#audiences.get(playbackId)?.adoptedPlaybacks.has(playback) ?? false;
    if (!isKnown && this.#full) return;
    this.#audienceOf(playbackId).adoptedPlaybacks.set(playback, this.#clock.monotonic());
    if (!isKnown) this.#adoptedCount += 1;
  }

  /** Stops counting adopted playbacks that another origin counts now. */
  keepAdopted(keeps: (playback: string) => boolean): void {
    for (const { adoptedPlaybacks } of this.#audiences.values()) {
      for (const playback of adoptedPlaybacks.keys()) {
        if (!keeps(playback)) this.#adoptedCount -= Number(adoptedPlaybacks.delete(playback));
      }
    }
  }

  /** Samples who is still watching. Does not block. */
  sample(): void {
    const now = this.#clock.monotonic();
    const seconds = (now - this.#sampledAt) / 1_000;
    this.#sampledAt = now;
    for (const [playbackId, audience] of this.#audiences) {
      const { views } = audience;
      const viewersBefore = audience.viewers;
      const viewers = this.#present(audience, now) + this.#presentAdopted(audience, now);
      audience.viewers = viewers;
      audience.views = 0;
      if (audience.playbacks.size + audience.adoptedPlaybacks.size === 0) this.#audiences.delete(playbackId);
      // The end of the last one is written too, so that "now" returns to 0.
      if (viewers === 0 && viewersBefore === 0 && views === 0) continue;
      this.#waiting.push({ playbackId, viewers, viewerSeconds: viewers * seconds, views, at: now });
    }
    if (this.#waiting.length > this.#limits.maxWaiting) {
      this.#waiting = this.#waiting.slice(-this.#limits.maxWaiting);
    }
  }

  /** Writes what was sampled. Rejects when that failed; nothing is lost then. */
  async flush(): Promise<void> {
    const samples = this.#waiting;
    if (samples.length === 0) return;
    this.#waiting = [];
    const now = this.#clock.monotonic();
    try {
      await this.#write(samples.map(({ at, ...sample }) => ({ ...sample, ageMs: now - at })));
    } catch (error) {
      this.#waiting = [...samples, ...this.#waiting];
      throw error;
    }
  }

  get #full(): boolean {
    return this.#playbacks + this.#adoptedCount >= this.#limits.maxPlaybacks;
  }

  #audienceOf(playbackId: string): Audience {
    let audience = this.#audiences.get(playbackId);
    if (!audience) this.#audiences.set(playbackId, (audience = new Audience()));
    return audience;
  }

  #presentAdopted({ adoptedPlaybacks }: Audience, now: number): number {
    for (const [playback, at] of adoptedPlaybacks) {
      if (now - at > this.#limits.presentMs) this.#adoptedCount -= Number(adoptedPlaybacks.delete(playback));
    }
    return adoptedPlaybacks.size;
  }

  #present({ playbacks }: Audience, now: number): number {
    const { presentMs, rememberedMs } = this.#limits;
    let viewers = 0;
    for (const [playback, at] of playbacks) {
      if (now - at <= presentMs) viewers += 1;
      else if (now - at > rememberedMs) {
        playbacks.delete(playback);
        this.#playbacks -= 1;
      }
    }
    return viewers;
  }
}
