import { LRUCache } from 'lru-cache';
import { assetKey, indexKey } from '@/lib/core/storage-keys';
import { type StorageDriver, StorageError } from '@/lib/infra/storage';
import type { StoredObject } from '@/lib/infra/storage/storage-driver';
import { HotSegments } from './hot-segments';
import { type HlsFile, type StoredIndex, hlsFile, smallFiles } from './indexed-hls-files';
import { IndexError, readIndexHead } from './stored-index';
import { storedSource } from './stored-source';

type Reads = Pick<StorageDriver, 'head' | 'read'>;

interface IndexedReads extends Reads {
  /** A whole file that many viewers share in memory; null for one that is better read. It must not be changed. */
  readonly held: (key: string) => Promise<Buffer | null>;
}

interface IndexedReadsOptions {
  /**
   * Makes the index of an asset again, which is missing or damaged.
   * @returns false if it has none
   */
  readonly repair?: (filesId: string) => Promise<boolean>;
  readonly hot?: HotSegments;
}

interface FoundFile {
  readonly index: StoredIndex;
  readonly file: HlsFile;
}

/** Segments that are listed by the indexes in memory. */
const maxListed = 1_000_000;
const maxSeen = 10_000;
const seenMs = 1_000;
const hlsName = /^asset\/([^/]+)\/hls\/(.+)$/;
/** Files that every HLS has: if they are absent, its index is. */
const always = /^(?:source\/)?index\.m3u8$/;

/** Finds files of indexed HLS by their storage keys. */
class IndexedFiles {
  readonly #storage: Reads;
  readonly #hot: HotSegments;
  readonly #repair: NonNullable<IndexedReadsOptions['repair']>;
  readonly #indexes: LRUCache<string, StoredIndex, StoredObject>;
  /** Seen a moment ago, by the `head` in front of a `read`. */
  readonly #seen = new LRUCache<string, StoredIndex>({ max: maxSeen, ttl: seenMs });

  constructor(storage: Reads, { repair, hot = new HotSegments() }: IndexedReadsOptions) {
    this.#storage = storage;
    this.#hot = hot;
    this.#repair = repair ?? (() => Promise.resolve(false));
    this.#indexes = new LRUCache({
      maxSize: maxListed,
      sizeCalculation: ({ head }) => 100 + head.segments.length,
      fetchMethod: (_, _known, { context }) => openIndex(storage, context),
    });
  }

  /** @param known `seen`: what was found a moment ago is still there */
  async find(key: string, known?: 'seen'): Promise<FoundFile | null> {
    const [, filesId, name] = hlsName.exec(key) ?? [];
    if (filesId === undefined || name === undefined) return null;
    const before = known && this.#seen.get(filesId);
    const same = before && hlsFile(before, name, this.#hot);
    if (same) return { index: before, file: same };
    const found = await this.#indexOf(filesId).catch((error: unknown) => {
      if (error instanceof IndexError) return error;
      throw error;
    });
    const index =
      found === null || found instanceof IndexError ? await this.#repaired(filesId, name, found) : found;
    const file = index && hlsFile(index, name, this.#hot);
    return index && file && { index, file };
  }

  /** Finds a file again whose index has turned out to be damaged. */
  async findRepaired(key: string, fault: IndexError): Promise<FoundFile | null> {
    if (await this.#repair(hlsName.exec(key)?.[1] ?? '')) return this.find(key);
    throw fault;
  }

  async #indexOf(filesId: string): Promise<StoredIndex | null> {
    const stored = await this.#storage.head(indexKey(filesId));
    const index = stored && (await this.#indexes.fetch(`${stored.key} ${stored.etag}`, { context: stored }));
    if (index) this.#seen.set(filesId, index);
    else this.#seen.delete(filesId);
    return index ?? null;
  }

  /** @param fault why the index cannot be read; null: there is none */
  async #repaired(filesId: string, file: string, fault: IndexError | null): Promise<StoredIndex | null> {
    if (
      fault === null &&
      (!always.test(file) || (await this.#storage.head(assetKey(filesId, `hls/${file}`))))
    )
      return null;
    if (await this.#repair(filesId)) return this.#indexOf(filesId);
    if (fault) throw fault;
    return null;
  }
}

/**
 * The same storage, with HLS of indexed assets as if it were stored. A copy that is stored is served where there is no
 * index.
 */
export function indexedReads(storage: Reads, options: IndexedReadsOptions = {}): IndexedReads {
  const files = new IndexedFiles(storage, options);
  return {
    async head(key) {
      const found = await files.find(key);
      if (!found) return storage.head(key);
      const { stored, head } = found.index;
      return { key, bytes: found.file.bytes, modifiedAt: stored.modifiedAt, etag: head.etag };
    },
    async read(key, range) {
      const found = await files.find(key, 'seen');
      if (!found) return storage.read(key, range);
      try {
        return await found.file.open(range);
      } catch (error) {
        // Its head was whole, what a segment consists of is not.
        if (!(error instanceof IndexError)) throw error;
        const again = await files.findRepaired(key, error);
        return again && again.file.open(range);
      }
    },
    async held(key) {
      const found = await files.find(key, 'seen');
      // What is damaged is repaired when it is read.
      return found && found.file.held().catch(() => null);
    },
  };
}

/** @throws IndexError; StorageError `missing` if its file is gone */
async function openIndex(storage: Reads, stored: StoredObject): Promise<StoredIndex> {
  const index = storedSource(storage, stored);
  const head = await readIndexHead(index);
  const key = `${stored.key.slice(0, stored.key.lastIndexOf('/'))}/${head.source.file}`;
  const file = await storage.head(key);
  if (!file) throw new StorageError('missing', key);
  if (file.bytes !== head.source.bytes) throw new IndexError('it describes another file');
  return { file: storedSource(storage, file), index, head, stored, texts: smallFiles(head) };
}
