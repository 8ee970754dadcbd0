import { SingleFlight } from '@/lib/core/single-flight';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocatedAsset, addStoredBytes } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { assetKey } from '@/lib/core/storage-keys';
import { createOutputError, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { Semaphore } from '@/media-worker/media/ffmpeg/semaphore';
import { planAudio } from '@/media-worker/media/ffmpeg/vod-args';
import { within } from '@/lib/infra/within';

/** How long a request waits, and how many files may be in progress. The audio is finished for the next request. */
const limits = { waitMs: 45_000, maxJobs: 8 };

type AudioContext = Pick<WorkerContext, 'storage' | 'settings' | 'log' | 'db'>;

/**
 * Separate audio files of assets for downloads. The audio is copied from the MP4 at the first request, one file at a time, with
 * low priority, and then stored.
 */
export class AudioFiles {
  readonly #ctx: AudioContext;
  readonly #folder: string;
  readonly #slots = new Semaphore(1);
  readonly #jobs = new SingleFlight<void>();
  readonly #closing = new AbortController();
  readonly #waitMs: number;

  constructor(ctx: AudioContext, { waitMs = limits.waitMs } = {}) {
    this.#ctx = ctx;
    const { dataDir, slot } = ctx.settings;
    this.#folder = join(dataDir, 'scratch', `origin-audio-${slot}`);
    this.#waitMs = waitMs;
  }

  /**
   * Finds the audio file of an asset, or creates it.
   * @returns the storage key; null if the audio is not ready in time, failed, or too many files are being created
   */
  async findKey({ assetId, filesId, videoKey }: LocatedAsset): Promise<string | null> {
    const key = assetKey(filesId, 'audio.m4a');
    if (await this.#ctx.storage.head(key)) return key;
    if (!this.#jobs.find(filesId) && this.#jobs.size >= limits.maxJobs) return null;
    const job = this.#startJob(filesId, videoKey, key);
    return within(this.#waitMs, job).then(
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
    await this.#jobs.waitForAll();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #startJob(filesId: string, videoKey: string, key: string): Promise<void> {
    const job = this.#jobs.run(filesId, () =>
      this.#slots.run(() => this.#createFile(filesId, videoKey, key)),
    );
    // Each request handles a failure itself; without a request, it is ignored.
    job.catch(() => undefined);
    return job;
  }

  async #createFile(filesId: string, videoKey: string, key: string): Promise<void> {
    const { storage } = this.#ctx;
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const output = join(this.#folder, `${filesId}.m4a`);
    await mkdir(this.#folder, { recursive: true });
    try {
      await storage.withFile(videoKey, (path) =>
        runFfmpegJob(planAudio(path, output), { signal, durationSeconds: 0 }),
      );
      const { size } = await stat(output);
      if (size === 0) throw await createOutputError(this.#folder, 'the audio is empty');
      // Another origin may have been faster.
      if (await storage.head(key)) return;
      await storage.putFile(key, output, { contentType: 'audio/mp4' });
      await addStoredBytes(this.#ctx, { filesId, bytes: size });
    } finally {
      await rm(output, { force: true });
    }
  }
}
