import { SingleFlight } from '@/lib/core/single-flight';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocatedAsset, countStoredFile } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { assetKey } from '@/lib/core/storage-keys';
import { runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { Semaphore } from '@/media-worker/media/ffmpeg/semaphore';
import { audioPlan } from '@/media-worker/media/ffmpeg/vod-args';
import { within } from '@/lib/infra/within';

/** How long a request waits, and how many may wait; the audio is finished for the next request. */
const limits = { waitMs: 45_000, waiting: 8 };

type AudioContext = Pick<WorkerContext, 'storage' | 'settings' | 'log' | 'db'>;

/**
 * Separate audio files of assets for downloads. The audio is copied from the MP4 at the first request, one at a time and with
 * low priority, and then stored.
 */
export class AudioFiles {
  readonly #ctx: AudioContext;
  readonly #folder: string;
  readonly #slots = new Semaphore(1);
  readonly #making = new SingleFlight<void>();
  readonly #closing = new AbortController();
  readonly #waitMs: number;

  constructor(ctx: AudioContext, { waitMs = limits.waitMs } = {}) {
    this.#ctx = ctx;
    const { dataDir, slot } = ctx.settings;
    this.#folder = join(dataDir, 'scratch', `origin-audio-${slot}`);
    this.#waitMs = waitMs;
  }

  /** @returns the storage key; null if the audio is not ready, or cannot be made now */
  async keyOf({ assetId, filesId, videoKey }: LocatedAsset): Promise<string | null> {
    const key = assetKey(filesId, 'audio.m4a');
    if (await this.#ctx.storage.head(key)) return key;
    if (!this.#making.running(filesId) && this.#making.size >= limits.waiting) return null;
    const making = this.#start(filesId, videoKey, key);
    return within(this.#waitMs, making).then(
      () => key,
      (error: unknown) => {
        this.#ctx.log.warn({ err: error, assetId }, 'audio of an asset not ready');
        return null;
      },
    );
  }

  /** Stops the current copy and removes its files. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#making.settled();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #start(filesId: string, videoKey: string, key: string): Promise<void> {
    const making = this.#making.run(filesId, () =>
      this.#slots.take(() => this.#make(filesId, videoKey, key)),
    );
    making.catch(() => undefined);
    return making;
  }

  async #make(filesId: string, videoKey: string, key: string): Promise<void> {
    const { storage } = this.#ctx;
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const output = join(this.#folder, `${filesId}.m4a`);
    await mkdir(this.#folder, { recursive: true });
    try {
      await storage.withFile(videoKey, (path) =>
        runFfmpegJob(audioPlan(path, output), { signal, duration: 0 }),
      );
      const { size } = await stat(output);
      // Another origin may have been faster.
      if (size === 0 || (await storage.head(key))) return;
      await storage.putFile(key, output, { contentType: 'audio/mp4' });
      await countStoredFile(this.#ctx, { filesId, bytes: size });
    } finally {
      await rm(output, { force: true });
    }
  }
}
