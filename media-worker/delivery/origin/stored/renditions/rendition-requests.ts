import { omitUndefined } from '@/lib/core/omit-undefined';
import { MINUTE_MS } from '@/lib/core/units';
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

export interface RenditionRequestsOptions {
  readonly ctx: Pick<SystemContext, 'db' | 'clock' | 'log'>;
  readonly storage: Pick<StorageDriver, 'head'>;
  readonly queues: Pick<JobQueues, 'enqueue'>;
  /** Polling interval for files whose completion was not announced. */
  readonly pollMs?: number;
}

/** Maximum number of files that the viewers of one origin wait for, in total and per address. */
const MAX_REQUESTS = 64;
const MAX_REQUESTS_PER_CLIENT = 16;
/** Maximum number of files that are remembered as requested ahead of viewers, as not encoded, or as used. */
const MAX_REMEMBERED = 50_000;
/** A file is requested ahead of viewers once in this time. */
const AHEAD_MAX_AGE_MS = 60_000;
/** A file that was not encoded is requested again after this time. */
const REJECTION_MAX_AGE_MS = 5_000;
/** Interval at which the use of a file is written. */
const USE_INTERVAL_MS = 10 * MINUTE_MS;
/** Maximum number of uses that wait to be written. */
const MAX_USED = 10_000;
/** Longer than any viewer waits. */
const MAX_WAIT_MS = 30_000;
/** Priority of files that no viewer waits for yet; files without a priority come first. */
const aheadPriority = { priority: 1 };

/** The storage key of a file of a rendition. */
export const renditionKeyOf = ({ assetId, rendition, file }: RenditionFileName): string =>
  renditionKey(assetId, `${rendition}/${file}`);

interface RenditionRequest {
  /** The address that requested the file first. */
  readonly client: string;
  readonly whenEnded: Promise<void>;
  readonly end: () => void;
}

/** Requests encoded segments of renditions, each once for all viewers, and records their use. */
export class RenditionRequests {
  readonly #options: RenditionRequestsOptions;
  readonly #requests = new Map<string, RenditionRequest>();
  readonly #requestedAhead = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: AHEAD_MAX_AGE_MS });
  readonly #rejections = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REJECTION_MAX_AGE_MS });
  readonly #recentUses = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: USE_INTERVAL_MS });
  readonly #uses: UsedRendition[] = [];

  constructor(options: RenditionRequestsOptions) {
    this.#options = options;
  }

  /**
   * Finds a file, or requests it and waits for it.
   * @param client address of the viewer: its third file waits until files of others are encoded
   * @returns null if the file was not encoded within `waitMs`, or will not be encoded now
   */
  async find(name: RenditionFileName, waitMs: number, client = ''): Promise<StoredObject | null> {
    const key = renditionKeyOf(name);
    const storedFile = await this.findStored(name);
    if (storedFile) return storedFile;
    if (this.#rejections.has(key)) return null;
    const request = this.#requests.get(key) ?? this.#request(name, key, client);
    if (!request) return null;
    const encodedFile = await this.#waitForFile(request, key, waitMs);
    if (encodedFile) return this.#recordUseOf(name.assetId, encodedFile);
    this.#rejections.set(key, true);
    return null;
  }

  /** The file if it is stored; null otherwise, without a request to encode it. */
  async findStored(name: RenditionFileName): Promise<StoredObject | null> {
    const object = await this.#options.storage.head(renditionKeyOf(name));
    return object && this.#recordUseOf(name.assetId, object);
  }

  /** Adds jobs for files that viewers will need soon. Never throws: viewers request them again. */
  async requestAhead(names: readonly RenditionFileName[]): Promise<void> {
    const { storage, queues, ctx } = this.#options;
    for (const name of names) {
      const key = renditionKeyOf(name);
      if (this.#requestedAhead.has(key)) continue;
      this.#requestedAhead.set(key, true);
      try {
        if (!(await storage.head(key)))
          await queues.enqueue('renditions', name, { jobId: jobIdOf(name), ...aheadPriority });
      } catch (error) {
        ctx.log.debug({ err: error, key }, 'rendition not requested ahead');
      }
    }
  }

  /** Marks a file as encoded, or as one that will not be encoded now. */
  markEnded(key: string): void {
    this.#requests.get(key)?.end();
  }

  /** Writes the uses since the last call. Rejects on failure, and keeps them for the next call. */
  async recordUse(): Promise<void> {
    const uses = [...this.#uses];
    await recordRenditionUse(this.#options.ctx, uses);
    this.#uses.splice(0, uses.length);
  }

  #recordUseOf(filesId: string, object: StoredObject): StoredObject {
    const { key, bytes } = object;
    if (!this.#recentUses.has(key) && this.#uses.length < MAX_USED) {
      this.#recentUses.set(key, true);
      this.#uses.push({ key, filesId, bytes });
    }
    return object;
  }

  async #waitForFile(
    { whenEnded }: RenditionRequest,
    key: string,
    waitMs: number,
  ): Promise<StoredObject | null> {
    const { storage, pollMs = 1_000 } = this.#options;
    const deadline = performance.now() + waitMs;
    for (;;) {
      const remainingMs = deadline - performance.now();
      const hasEnded = await within(
        Math.max(0, Math.min(pollMs, remainingMs)),
        whenEnded.then(() => true),
        () => false,
      );
      const object = await storage.head(key);
      if (object) this.markEnded(key);
      if (object || hasEnded || remainingMs <= 0) return object;
    }
  }

  /** Adds a job for a file; null if too many files are requested. */
  #request(name: RenditionFileName, key: string, client: string): RenditionRequest | null {
    const requestCount = [...this.#requests.values()].filter((request) => request.client === client).length;
    if (this.#requests.size >= MAX_REQUESTS || requestCount >= MAX_REQUESTS_PER_CLIENT) return null;
    let end: () => void = () => undefined;
    const whenEnded = new Promise<void>((resolve) => (end = resolve)).finally(() => {
      clearTimeout(timer);
      this.#requests.delete(key);
    });
    // No viewer waits longer than this, so the request ends.
    const timer = setTimeout(() => end(), MAX_WAIT_MS).unref();
    const request = { client, whenEnded, end };
    this.#requests.set(key, request);
    const { queues, ctx } = this.#options;
    const priority = renditionPriority(requestCount);
    const job = { jobId: jobIdOf(name), ...omitUndefined({ priority }) };
    queues.enqueue('renditions', name, job).catch((error: unknown) => {
      ctx.log.warn({ err: error, key }, 'rendition not requested');
      end();
    });
    return request;
  }
}
