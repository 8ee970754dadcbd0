import { DAY_MS } from '@/lib/core/units';
import { type ReadyFiles, isWatchedSince, listReadyFiles, recordStoredBytes } from '@/lib/domain/assets';
import type { WorkerContext } from '@/lib/domain/context';
import { parseMasterPlaylist } from '@/lib/core/hls/read-playlist';
import { assetKey, assetPrefix, hlsPrefix, indexKey } from '@/lib/core/storage-keys';
import { text } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import { IndexRepair } from '@/media-worker/vod/import/repair-index';

const BATCH_SIZE = 100;
/** Maximum number of assets whose file is read in one run. */
const MAX_FILES_PER_RUN = 20;
/** Age of an index after which no viewer uses the URLs of the copied HLS any more. */
const COPY_GRACE_MS = DAY_MS;
/** An imported asset never has a longer master playlist. */
const MAX_MASTER_BYTES = 100_000;
/** Maximum number of files that are remembered as not indexable. */
const MAX_NOT_INDEXABLE = 100_000;

/**
 * Creates indexes of assets whose HLS an earlier version of this product stored as a copy, and deletes the copy a
 * day later. Recordings, which have their own periods and renditions, keep their HLS.
 */
export class OlderAssetIndexer {
  readonly #ctx: WorkerContext;
  readonly #repair: IndexRepair;
  /** Ids of files that cannot be indexed, which this process does not try again. */
  readonly #notIndexable = new LRUCache<string, true>({ max: MAX_NOT_INDEXABLE });
  /** The last checked asset; null: start from the beginning. */
  #lastCheckedId: string | null = null;

  constructor(ctx: WorkerContext) {
    this.#ctx = ctx;
    this.#repair = new IndexRepair(ctx);
  }

  close(): Promise<void> {
    return this.#repair.close();
  }

  /** Checks the next 100 assets, and indexes up to 20 of them. */
  async run(): Promise<void> {
    const assets = await listReadyFiles(this.#ctx, { after: this.#lastCheckedId, take: BATCH_SIZE });
    let indexedCount = 0;
    for (const asset of assets) {
      if (indexedCount === MAX_FILES_PER_RUN) return;
      if (await this.#indexAsset(asset)) indexedCount += 1;
      this.#lastCheckedId = asset.id;
    }
    if (assets.length < BATCH_SIZE) this.#lastCheckedId = null;
  }

  /**
   * Creates the index of an asset whose HLS is a copy, or deletes a copy that its index has replaced.
   * @returns whether the asset's file was read
   */
  async #indexAsset({ filesId }: ReadyFiles): Promise<boolean> {
    const { storage, clock, log } = this.#ctx;
    if (this.#notIndexable.has(filesId)) return false;
    const hlsCopy = await storage.head(`${hlsPrefix(filesId)}index.m3u8`);
    if (!hlsCopy) return false;
    const copyUsedSince = new Date(clock.now().getTime() - COPY_GRACE_MS);
    const index = await storage.head(indexKey(filesId));
    if (index) {
      if (index.modifiedAt > copyUsedSince) return false;
      await storage.deletePrefix(hlsPrefix(filesId));
      await recordStoredBytes(this.#ctx, { filesId, bytes: await this.#sumStoredBytes(filesId) });
      return false;
    }
    if (await isWatchedSince(this.#ctx, filesId, copyUsedSince)) return false;
    const isIndexed =
      (await this.#isImported(filesId, hlsCopy.bytes)) && (await this.#repair.repair(filesId));
    if (isIndexed) log.info({ filesId }, 'asset of an earlier version indexed');
    else this.#notIndexable.set(filesId, true);
    return true;
  }

  /** Whether the HLS is a copy of an import: one rendition with one init segment. */
  async #isImported(filesId: string, bytes: number): Promise<boolean> {
    const { storage } = this.#ctx;
    const key = (file: string) => assetKey(filesId, `hls/${file}`);
    if (bytes > MAX_MASTER_BYTES || !(await storage.head(key('source/init.mp4')))) return false;
    const masterPlaylist = await storage.read(key('index.m3u8'));
    return masterPlaylist !== null && parseMasterPlaylist(await text(masterPlaylist)).length === 1;
  }

  async #sumStoredBytes(filesId: string): Promise<number> {
    let sum = 0;
    for await (const { bytes } of this.#ctx.storage.list(assetPrefix(filesId))) sum += bytes;
    return sum;
  }
}
