import { SingleFlight } from '@/lib/core/single-flight';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { WorkerContext } from '@/lib/domain/context';
import { playsFirstTracks } from '@/lib/core/media/media-probe';
import { createVideoSpec } from '@/lib/core/media/video-spec';
import { assetKey } from '@/lib/core/storage-keys';
import { newId } from '@/lib/infra/ids';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';
import { acceptFile, hashFile } from './accept-file';
import { needsConversionToMp4 } from './convert-source';
import { publishIndex, sha256Of } from './publish-index';

/** Time after which an asset without an index is checked again. */
const RETRY_DELAY_MS = 60_000;
/** Maximum number of remembered failures. */
const MAX_FAILED = 10_000;
/** Maximum number of assets in the queue; viewers of further assets get an error. */
const MAX_WAITING = 100;

interface RepairContext extends Pick<WorkerContext, 'storage'> {
  readonly settings: Pick<WorkerContext['settings'], 'dataDir'>;
  readonly log: Pick<WorkerContext['log'], 'warn'>;
}

/** Recreates missing and damaged indexes of assets, one at a time. */
export class IndexRepair {
  readonly #ctx: RepairContext;
  readonly #closing = new AbortController();
  readonly #repairs = new SingleFlight<boolean>();
  readonly #recentFailures = new LRUCache<string, true>({ max: MAX_FAILED, ttl: RETRY_DELAY_MS });
  #lastRepair: Promise<unknown> = Promise.resolve();

  constructor(ctx: RepairContext) {
    this.#ctx = ctx;
  }

  /**
   * Recreates the index of an asset, unless that failed recently or too many assets are waiting.
   * @returns whether the index was recreated
   */
  repair(filesId: string): Promise<boolean> {
    const runningRepair = this.#repairs.find(filesId);
    if (runningRepair) return runningRepair;
    if (this.#recentFailures.has(filesId) || this.#repairs.size >= MAX_WAITING) return Promise.resolve(false);
    const work = this.#repairs.run(filesId, () => this.#lastRepair.then(() => this.#recreate(filesId)));
    this.#lastRepair = work;
    return work;
  }

  /** Aborts the running repair and waits for its end. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#lastRepair;
  }

  async #recreate(filesId: string): Promise<boolean> {
    const { storage, settings, log } = this.#ctx;
    const { signal } = this.#closing;
    if (signal.aborted) return false;
    const scratch = join(scratchFolder(settings.dataDir), `index-${newId()}`);
    try {
      await mkdir(scratch, { recursive: true });
      const indexOptions = { storage, dataDir: settings.dataDir, scratch, signal };
      const isRecreated = await this.#createFromFile(filesId, indexOptions);
      log.warn({ filesId, isRecreated }, 'index of an asset recreated');
      if (!isRecreated) this.#recentFailures.set(filesId, true);
      return isRecreated;
    } catch (error) {
      this.#recentFailures.set(filesId, true);
      log.warn({ err: error, filesId }, 'index of an asset not recreated');
      return false;
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Uses the same file as an import: the source if it plays unchanged, otherwise the MP4 made from it. */
  #createFromFile(filesId: string, indexOptions: Parameters<typeof publishIndex>[0]): Promise<boolean> {
    const { storage } = this.#ctx;
    const { signal } = indexOptions;
    const publish = async (path: string, file: string, contentHash: string): Promise<boolean> => {
      const acceptance = await acceptFile(path, { isOwnFile: true }, signal);
      if (!acceptance.accepted || needsConversionToMp4(acceptance) || !playsFirstTracks(acceptance.report))
        return false;
      const playedFile = { path, file, contentHash, spec: createVideoSpec(acceptance.report) };
      return 'seconds' in (await publishIndex(indexOptions, filesId, playedFile));
    };
    return storage.withFile(assetKey(filesId, 'source.mp4'), async (source) => {
      const contentHash = sha256Of(await hashFile(source, signal));
      if (await publish(source, 'source.mp4', contentHash)) return true;
      const video = assetKey(filesId, 'video.mp4');
      if (!(await storage.head(video))) return false;
      return storage.withFile(video, (path) => publish(path, 'video.mp4', contentHash));
    });
  }
}
