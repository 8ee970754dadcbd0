import { LRUCache } from 'lru-cache';
import {
  completeRenditions,
  findWatchableAsset,
  listDueRenditions,
  recordRenditionUse,
  notifyRenditionEnd,
} from '@/lib/domain/assets';
import type { JobData } from '@/lib/contract/jobs';
import type { WorkerContext } from '@/lib/domain/context';
import { renditionSlots, renditionThreads } from '@/lib/core/renditions/rendition-budget';
import { renditionKey } from '@/lib/core/storage-keys';
import type { JobQueues } from '@/lib/infra/queue/queue';
import { StorageError } from '@/lib/infra/storage';
import { FramesDifferError } from '@/media-worker/media/cmaf/rendition-segment';
import { FfmpegFailed, FfmpegKilled } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { JobHandler } from '@/media-worker/kit/process/workers';
import { createMachine, type Machine } from './core-load';
import { encodeSegment } from './encode-segment';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { readRenditionSource, type RenditionSource } from './rendition-source';

/** Interval at which the load of the machine is measured. */
const MEASURE_INTERVAL_MS = 2_000;
/** Maximum number of assets whose playlists are in memory. */
const MAX_SOURCES = 20;
/** Maximum attempts of ffmpeg per job, if it is killed. The next request of a viewer adds a new job. */
const MAX_ATTEMPTS = 2;

/** Why a file was not encoded; viewers get the source's file instead. `no room`: all slots are taken. */
type SkipReason = 'unknown' | 'no room' | 'failed';

/** The job id of a file, which makes one job of all requests for it. */
export const jobIdOf = ({ assetId, rendition, file }: JobData<'renditions'>): string =>
  `${assetId}_${rendition}_${file}`;

/** Maximum number of waiting jobs of one asset. */
const MAX_PLANNED_JOBS = 20;
/** Priority below that of files that viewers will need soon. */
const lowPriority = { priority: 10 };

/** Adds jobs for assets with profiles, in batches, until all of their segments are encoded. */
export async function planRenditions(ctx: WorkerContext, queues: Pick<JobQueues, 'enqueue'>): Promise<void> {
  if (ctx.settings.renditionCacheBytes === 0) return;
  for (const { assetId, filesId, profiles, storedKeys } of await listDueRenditions(ctx)) {
    const source = await readRenditionSource(createIndexedReads(ctx.storage), filesId, profiles);
    const files = source?.renditions.flatMap(({ name: rendition }) =>
      source.playlist.segments.map(({ uri: file }) => ({ assetId: filesId, rendition, file })),
    );
    const missingFiles = (files ?? []).filter(
      ({ rendition, file }) => !storedKeys.has(renditionKey(filesId, `${rendition}/${file}`)),
    );
    if (missingFiles.length === 0) await completeRenditions(ctx, { assetId, filesId });
    for (const missingFile of missingFiles.slice(0, MAX_PLANNED_JOBS))
      await queues.enqueue('renditions', missingFile, { jobId: jobIdOf(missingFile), ...lowPriority });
  }
}

/** Encodes files of renditions for viewers, as far as live streams leave CPU time. */
export class RenditionEncoder {
  readonly #ctx: WorkerContext;
  readonly #machine: Machine;
  readonly #loadTimer: { close(): Promise<void> };
  readonly #sources = new LRUCache<string, RenditionSource>({ max: MAX_SOURCES });
  /** HLS of assets, stored or generated from an index. */
  readonly #storage: ReturnType<typeof createIndexedReads>;
  #busyCores = 0;
  #runningCount = 0;

  constructor(ctx: WorkerContext, machine = createMachine()) {
    this.#ctx = ctx;
    this.#machine = machine;
    this.#storage = createIndexedReads(ctx.storage);
    this.#loadTimer = runPeriodically(MEASURE_INTERVAL_MS, 'load of the machine', ctx.log, async () => {
      this.#busyCores = await machine.busyCores();
    });
  }

  handler(): JobHandler<'renditions'> {
    const { cores } = this.#machine;
    const { transcodeCores } = this.#ctx.settings;
    return {
      // Jobs above the limit wait in the queue. A job that starts after live work has taken its slot ends without its
      // file.
      concurrency: renditionSlots({ cores, busyCores: 0, transcodeCores }),
      run: (data, signal) => this.#run(data, signal),
    };
  }

  /** Number of segments that may be encoded at the same time now. */
  get slots(): number {
    return renditionSlots(this.#cores);
  }

  get #cores() {
    const { transcodeCores } = this.#ctx.settings;
    return { cores: this.#machine.cores, busyCores: this.#busyCores, transcodeCores };
  }

  close(): Promise<void> {
    return this.#loadTimer.close();
  }

  /** Runs a job. A failure is reported to waiting viewers and not retried: the next request adds a job. */
  async #run(data: JobData<'renditions'>, signal: AbortSignal): Promise<void> {
    const { assetId, rendition, file } = data;
    const key = renditionKey(assetId, `${rendition}/${file}`);
    if (!(await this.#ctx.storage.head(key))) {
      const skipReason = await this.#encode(data, key, signal);
      if (skipReason) this.#ctx.log.info({ ...data, rejection: skipReason }, 'rendition not encoded');
    }
    await notifyRenditionEnd(this.#ctx, key);
  }

  async #encode(data: JobData<'renditions'>, key: string, signal: AbortSignal): Promise<SkipReason | null> {
    if (this.#runningCount >= this.slots) return 'no room';
    this.#runningCount++;
    try {
      const threads = renditionThreads(this.#cores, this.#runningCount);
      return (await this.#store(data, key, { signal, threads })) ? null : 'unknown';
    } catch (error) {
      signal.throwIfAborted();
      const isExpected = error instanceof FfmpegFailed || error instanceof FramesDifferError;
      if (!isExpected) this.#ctx.log.warn({ err: error, ...data }, 'rendition failed');
      return 'failed';
    } finally {
      this.#runningCount--;
    }
  }

  /** @returns false for a file that no rendition has */
  async #store(
    { assetId, rendition: name, file }: JobData<'renditions'>,
    key: string,
    work: { readonly signal: AbortSignal; readonly threads: number },
  ): Promise<boolean> {
    const { storage, settings } = this.#ctx;
    const asset = settings.renditionCacheBytes === 0 ? null : await findWatchableAsset(this.#ctx, assetId);
    if (!asset) return false;
    const source =
      this.#sources.get(assetId) ?? (await readRenditionSource(this.#storage, assetId, asset.profiles));
    if (!source) return false;
    this.#sources.set(assetId, source);
    const rendition = source.renditions.find((candidate) => candidate.name === name);
    const { segments, inits } = source.playlist;
    const isInit = inits.includes(file);
    const index = segments.findIndex(({ uri, init }) => (isInit ? init : uri) === file);
    const sourceSegment = segments[index];
    if (!rendition || !sourceSegment) return false;
    if ((await storage.room()) <= 0) throw new StorageError('full', key);
    const encodingOptions = { storage: this.#storage, dataDir: settings.dataDir, ...work };
    const encodingRequest = { rendition, index, ...(isInit ? { frames: 1 } : {}) };
    const encode = () => encodeSegment(encodingOptions, source, encodingRequest);
    const { init, segment } = await restartKilled(encode, work.signal);
    await this.#putFile(assetId, key, isInit ? [init] : segment);
    if (!isInit) await this.#putInit(assetId, renditionKey(assetId, `${name}/${sourceSegment.init}`), init);
    return true;
  }

  /** Stores the init segment with every segment, so that players rarely wait for it. */
  async #putInit(filesId: string, key: string, init: Buffer): Promise<void> {
    if (!(await this.#ctx.storage.head(key))) await this.#putFile(filesId, key, [init]);
  }

  async #putFile(filesId: string, key: string, body: readonly Buffer[]): Promise<void> {
    const contentType = key.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment';
    const { bytes } = await this.#ctx.storage.put(key, body, { contentType });
    await recordRenditionUse(this.#ctx, [{ key, filesId, bytes }]);
  }
}

/** Calls `work` again if ffmpeg was killed, for example because memory ran out. */
async function restartKilled<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof FfmpegKilled) || attempt === MAX_ATTEMPTS || signal.aborted) throw error;
    }
  }
}
