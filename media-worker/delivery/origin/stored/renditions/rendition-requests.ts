import { defined } from '@/lib/core/defined';
import { minuteMs } from '@/lib/core/units';
import { LRUCache } from 'lru-cache';
import { recordRenditionUse, type UsedRendition } from '@/lib/domain/assets';
import type { JobData } from '@/lib/contract/jobs';
import type { SystemContext } from '@/lib/domain/context';
import { renditionPriority } from '@/lib/core/renditions/rendition-budget';
import { renditionKey } from '@/lib/core/storage-keys';
import type { JobQueues } from '@/lib/infra/queue/queue';
import type { StorageDriver } from '@/lib/infra/storage';
import { jobIdOf } from '@/media-worker/vod/renditions/encode-renditions';
import type { StoredObject } from '@/lib/infra/storage/storage-driver';
import { within } from '@/lib/infra/within';

type RenditionFileName = JobData<'renditions'>;

export interface AskRenditionOptions {
  readonly ctx: Pick<SystemContext, 'db' | 'clock' | 'log'>;
  readonly storage: Pick<StorageDriver, 'head'>;
  readonly queues: Pick<JobQueues, 'enqueue'>;
  /** Polling interval for files whose completion was not announced. */
  readonly pollMs?: number;
}

/** Maximum number of files that the viewers of one origin wait for, in total and per address. */
const maxAsked = 64;
const maxAskedByClient = 16;
/** Maximum number of files remembered as requested ahead of viewers. */
const maxKnown = 50_000;
const aheadMs = 60_000;
/** A file that was not encoded is requested again after this time. */
const refusedMs = 5_000;
/** Interval at which the use of a file is written. */
const recordedMs = 10 * minuteMs;
const maxUsed = 10_000;
const ahead = { priority: 1 };

export const keyOfRendition = ({ assetId, rendition, file }: RenditionFileName): string =>
  renditionKey(assetId, `${rendition}/${file}`);

interface RenditionRequest {
  /** The address that requested the file first. */
  readonly client: string;
  readonly whenEnded: Promise<void>;
  readonly end: () => void;
}

/** Requests encoded segments of renditions, each once for all viewers, and records their use. */
export class RenditionRequests {
  readonly #options: AskRenditionOptions;
  readonly #requests = new Map<string, RenditionRequest>();
  readonly #ahead = new LRUCache<string, true>({ max: maxKnown, ttl: aheadMs });
  readonly #refusals = new LRUCache<string, true>({ max: maxKnown, ttl: refusedMs });
  readonly #recorded = new LRUCache<string, true>({ max: maxKnown, ttl: recordedMs });
  readonly #uses: UsedRendition[] = [];

  constructor(options: AskRenditionOptions) {
    this.#options = options;
  }

  /**
   * @param client address of the viewer: its third file waits until files of others are encoded
   * @returns the stored file;
   * null if it was not encoded within `waitMs` or will not be encoded now
   */
  async find(name: RenditionFileName, waitMs: number, client = ''): Promise<StoredObject | null> {
    const key = keyOfRendition(name);
    const storedFile = await this.stored(name);
    if (storedFile) return storedFile;
    if (this.#refusals.has(key)) return null;
    const request = this.#requests.get(key) ?? this.#ask(name, key, client);
    if (!request) return null;
    const madeFile = await this.#wait(request, key, waitMs);
    if (madeFile) return this.#use(name.assetId, madeFile);
    this.#refusals.set(key, true);
    return null;
  }

  /** @returns the file if it is stored; nothing is encoded for it */
  async stored(name: RenditionFileName): Promise<StoredObject | null> {
    const object = await this.#options.storage.head(keyOfRendition(name));
    return object && this.#use(name.assetId, object);
  }

  /** Adds jobs for files that viewers will need soon. Never throws: viewers request them again. */
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
        ctx.log.debug({ err: error, key }, 'rendition not requested ahead');
      }
    }
  }

  /** Marks a file as encoded, or as one that will not be encoded now. */
  markEnded(key: string): void {
    this.#requests.get(key)?.end();
  }

  /** Writes the uses since the last call. Rejects on failure and keeps them for the next call. */
  async recordUse(): Promise<void> {
    const uses = [...this.#uses];
    await recordRenditionUse(this.#options.ctx, uses);
    this.#uses.splice(0, uses.length);
  }

  #use(assetId: string, object: StoredObject): StoredObject {
    const { key, bytes } = object;
    if (!this.#recorded.has(key) && this.#uses.length < maxUsed) {
      this.#recorded.set(key, true);
      this.#uses.push({ key, assetId, bytes });
    }
    return object;
  }

  async #wait({ whenEnded }: RenditionRequest, key: string, waitMs: number): Promise<StoredObject | null> {
    const { storage, pollMs = 1_000 } = this.#options;
    const until = performance.now() + waitMs;
    for (;;) {
      const msLeft = until - performance.now();
      const over = await within(
        Math.max(0, Math.min(pollMs, msLeft)),
        whenEnded.then(() => true),
        () => false,
      );
      const object = await storage.head(key);
      if (object) this.markEnded(key);
      if (object || over || msLeft <= 0) return object;
    }
  }

  /** @returns null if too many files are requested */
  #ask(name: RenditionFileName, key: string, client: string): RenditionRequest | null {
    const waiting = [...this.#requests.values()].filter((request) => request.client === client).length;
    if (this.#requests.size >= maxAsked || waiting >= maxAskedByClient) return null;
    let end: () => void = () => undefined;
    const whenEnded = new Promise<void>((resolve) => (end = resolve)).finally(() => {
      clearTimeout(timer);
      this.#requests.delete(key);
    });
    // Viewers never wait longer than this.
    const timer = setTimeout(() => end(), maxWaitMs).unref();
    const request = { client, whenEnded, end };
    this.#requests.set(key, request);
    const { queues, ctx } = this.#options;
    const priority = renditionPriority(waiting);
    const job = { jobId: jobIdOf(name), ...defined({ priority }) };
    queues.enqueue('renditions', name, job).catch((error: unknown) => {
      ctx.log.warn({ err: error, key }, 'rendition not requested');
      end();
    });
    return request;
  }
}

/** Longer than any viewer waits. */
const maxWaitMs = 30_000;
