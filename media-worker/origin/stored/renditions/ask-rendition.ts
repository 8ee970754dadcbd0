import { LRUCache } from 'lru-cache';
import { recordRenditionUse, type UsedRendition } from '@/lib/assets';
import type { JobData } from '@/lib/contract/jobs';
import type { SystemContext } from '@/lib/context';
import { renditionKey } from '@/lib/core/storage-keys';
import type { JobQueues } from '@/lib/infra/queue/queue';
import type { StorageDriver } from '@/lib/infra/storage';
import type { StoredObject } from '@/lib/infra/storage/storage-driver';

type RenditionFileName = JobData<'renditions'>;

export interface AskRenditionOptions {
  readonly ctx: Pick<SystemContext, 'db' | 'clock' | 'log'>;
  readonly storage: Pick<StorageDriver, 'head'>;
  readonly queues: Pick<JobQueues, 'enqueue'>;
  /** How often a file is looked for whose end was not told. */
  readonly pollMs?: number;
}

/** Files that viewers of one origin wait for at the same time; others get the source. */
const maxAsked = 64;
/** Files that are asked for ahead of their viewers, and known to be there. */
const maxKnown = 50_000;
const aheadMs = 60_000;
/** After this, a file that was not made is asked for again. */
const refusedMs = 5_000;
/** Its use is written down again. */
const recordedMs = 10 * 60_000;
const maxUsed = 10_000;
const ahead = { priority: 1 };

export const keyOfRendition = ({ assetId, rendition, file }: RenditionFileName): string =>
  renditionKey(assetId, `${rendition}/${file}`);

/** One job of a file exists at a time, however many origins ask for it. */
const jobIdOf = ({ assetId, rendition, file }: RenditionFileName): string =>
  `${assetId}_${rendition}_${file}`;

/** Has files of renditions encoded, each once for all viewers, and remembers which are used. */
export class AskRendition {
  readonly #options: AskRenditionOptions;
  readonly #asked = new Map<string, { readonly ended: Promise<void>; readonly end: () => void }>();
  readonly #ahead = new LRUCache<string, true>({ max: maxKnown, ttl: aheadMs });
  readonly #refused = new LRUCache<string, true>({ max: maxKnown, ttl: refusedMs });
  readonly #recorded = new LRUCache<string, true>({ max: maxKnown, ttl: recordedMs });
  #used: UsedRendition[] = [];

  constructor(options: AskRenditionOptions) {
    this.#options = options;
  }

  /** @returns the stored file; null if it was not encoded within `waitMs` or will not be encoded now */
  async find(name: RenditionFileName, waitMs: number): Promise<StoredObject | null> {
    const key = keyOfRendition(name);
    const { storage } = this.#options;
    const stored = await storage.head(key);
    if (stored) return this.#use(name.assetId, stored);
    if (this.#refused.has(key) || (this.#asked.size >= maxAsked && !this.#asked.has(key))) return null;
    const made = await this.#wait(name, key, waitMs);
    if (made) return this.#use(name.assetId, made);
    this.#refused.set(key, true);
    return null;
  }

  /** Adds jobs for files that viewers need soon. Never throws: they ask again when they need them. */
  async ahead(names: readonly RenditionFileName[]): Promise<void> {
    const { storage, queues, ctx } = this.#options;
    for (const name of names) {
      const key = keyOfRendition(name);
      if (this.#ahead.has(key)) continue;
      this.#ahead.set(key, true);
      try {
        if (!(await storage.head(key)))
          await queues.enqueue('renditions', name, { jobId: jobIdOf(name), ...ahead });
      } catch (error) {
        ctx.log.debug({ err: error, key }, 'rendition not asked for ahead');
      }
    }
  }

  /** A file was made, or will not be made now. */
  ended(key: string): void {
    this.#asked.get(key)?.end();
  }

  /** Writes down what was served since the last time. */
  async recordUse(): Promise<void> {
    const used = this.#used;
    this.#used = [];
    await recordRenditionUse(this.#options.ctx, used);
  }

  #use(assetId: string, stored: StoredObject): StoredObject {
    const { key, bytes } = stored;
    if (!this.#recorded.has(key) && this.#used.length < maxUsed) {
      this.#recorded.set(key, true);
      this.#used.push({ key, assetId, bytes });
    }
    return stored;
  }

  async #wait(name: RenditionFileName, key: string, waitMs: number): Promise<StoredObject | null> {
    const { storage, pollMs = 1_000 } = this.#options;
    const until = performance.now() + waitMs;
    const { ended } = this.#asked.get(key) ?? this.#ask(name, key);
    for (;;) {
      const left = until - performance.now();
      const over = await endsWithin(ended, Math.max(0, Math.min(pollMs, left)));
      const stored = await storage.head(key);
      if (stored) this.ended(key);
      if (stored || over || left <= 0) return stored;
    }
  }

  #ask(name: RenditionFileName, key: string) {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve)).finally(() => {
      clearTimeout(timer);
      this.#asked.delete(key);
    });
    // Nobody waits longer than this for it.
    const timer = setTimeout(() => end(), maxWaitMs).unref();
    const asked = { ended, end };
    this.#asked.set(key, asked);
    const { queues, ctx } = this.#options;
    queues.enqueue('renditions', name, { jobId: jobIdOf(name) }).catch((error: unknown) => {
      ctx.log.warn({ err: error, key }, 'rendition not asked for');
      end();
    });
    return asked;
  }
}

/** More than any viewer waits. */
const maxWaitMs = 30_000;

async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const ended = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}
