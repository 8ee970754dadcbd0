import { LRUCache } from 'lru-cache';
import { assetKey, indexKey } from '@/lib/core/storage-keys';
import { type StorageDriver, StorageError } from '@/lib/infra/storage';
import type { StoredObject } from '@/lib/infra/storage/storage-driver';
import { MovieError } from './byte-source';
import { HotSegments } from './hot-segments';
import { type HlsFile, type StoredIndex, findHlsFile, createSmallFiles } from './indexed-hls-files';
import { readIndexHead } from './stored-index';
import { IndexError } from './stored-lines';
import { createStoredSource } from './stored-source';

type Reads = Pick<StorageDriver, 'head' | 'read'>;

/** A storage with some objects in memory. */
export interface CachedReads extends Reads {
  /** @returns null if the object must be read from the storage */
  readonly cachedBytes?: (key: string) => Promise<Buffer | null>;
}

interface IndexedReadsOptions {
  /**
   * Recreates a missing or damaged index.
   * @returns false if the asset has none afterwards
   */
  readonly repair?: (filesId: string) => Promise<boolean>;
  readonly hot?: HotSegments;
}

interface FoundFile {
  readonly index: StoredIndex;
  readonly file: HlsFile;
}

/** Maximum number of segments listed by all indexes in memory. */
const MAX_LISTED = 1_000_000;
/** Maximum number of assets whose index was recently found in the storage. */
const MAX_SEEN = 10_000;
/** How long requests use an index without asking the storage. Deleted assets are rejected before their files are read. */
const HEAD_MAX_AGE_MS = 1_000;
/** Longer, so that a `read` uses the index of its `head`: length, ETag and content must be of one index. */
const READ_MAX_AGE_MS = 2 * HEAD_MAX_AGE_MS;
/** Storage keys of HLS files, with the id of the asset's files and the name below `hls/`. */
const hlsName = /^asset\/([^/]+)\/hls\/(.+)$/;
/** Playlists, which every asset has: if one is missing, the index is missing. */
const playlist = /^(?:source\/)?index\.m3u8$/;

/**
 * Wraps a storage so that it contains the HLS of indexed assets as if it were stored. Without an index, a stored
 * copy is read.
 */
export function createIndexedReads(
  storage: Reads,
  { repair, hot = new HotSegments() }: IndexedReadsOptions = {},
): CachedReads {
  const indexes = new LRUCache<string, StoredIndex, StoredObject>({
    maxSize: MAX_LISTED,
    // An index without segments takes about as much memory as a hundred segments.
    sizeCalculation: ({ head }) => 100 + head.segments.length,
    fetchMethod: (_, _known, { context }) => openIndex(storage, context),
  });
  /** Indexes that were recently found in the storage. */
  const seenIndexes = new LRUCache<string, StoredIndex>({ max: MAX_SEEN, ttl: READ_MAX_AGE_MS });
  const findIndex = async (filesId: string): Promise<StoredIndex | null> => {
    const object = await storage.head(indexKey(filesId));
    const index = object && (await indexes.fetch(`${object.key} ${object.etag}`, { context: object }));
    if (index) seenIndexes.set(filesId, index);
    else seenIndexes.delete(filesId);
    return index ?? null;
  };
  /**
   * Recreates an index.
   * @param fault why the index cannot be read; null if it is missing
   */
  const repairIndex = async (filesId: string, file: string, fault: IndexError | null) => {
    if (fault === null && (!playlist.test(file) || (await storage.head(assetKey(filesId, `hls/${file}`)))))
      return null;
    if (await repair?.(filesId)) return findIndex(filesId);
    if (fault) throw fault;
    return null;
  };
  const find = async (key: string, maxAgeMs = READ_MAX_AGE_MS): Promise<FoundFile | null> => {
    const [, filesId, name] = hlsName.exec(key) ?? [];
    if (filesId === undefined || name === undefined) return null;
    const knownIndex = findSeen(seenIndexes, filesId, maxAgeMs);
    const knownFile = knownIndex && findHlsFile(knownIndex, name, hot);
    if (knownFile) return { index: knownIndex, file: knownFile };
    const indexOrFault = await findIndex(filesId).catch((error: unknown) => {
      if (error instanceof IndexError) return error;
      throw error;
    });
    const index =
      indexOrFault === null || indexOrFault instanceof IndexError
        ? await repairIndex(filesId, name, indexOrFault)
        : indexOrFault;
    const file = index && findHlsFile(index, name, hot);
    return index && file && { index, file };
  };
  return {
    async head(key) {
      const indexedFile = await find(key, HEAD_MAX_AGE_MS);
      return indexedFile ? storedObjectOf(key, indexedFile) : storage.head(key);
    },
    cachedBytes: async (key) => (await find(key))?.file.cachedBytes().catch(nullIfDamaged) ?? null,
    async read(key, range) {
      const indexedFile = await find(key);
      if (!indexedFile) return storage.read(key, range);
      try {
        return await indexedFile.file.open(range);
      } catch (error) {
        if (!(error instanceof IndexError)) throw error;
        // The head was valid, so the segment table is damaged.
        if (!(await repair?.(hlsName.exec(key)?.[1] ?? ''))) throw error;
        return (await find(key, 0))?.file.open(range) ?? null;
      }
    },
  };
}

function findSeen(
  indexes: LRUCache<string, StoredIndex>,
  filesId: string,
  maxAgeMs: number,
): StoredIndex | undefined {
  const ageMs = READ_MAX_AGE_MS - indexes.getRemainingTTL(filesId);
  return ageMs < maxAgeMs ? indexes.get(filesId) : undefined;
}

const storedObjectOf = (key: string, { index: { object, head }, file }: FoundFile): StoredObject => ({
  key,
  bytes: file.bytes,
  modifiedAt: object.modifiedAt,
  etag: head.etag,
});

/** Ignores a damaged index, which is detected again and repaired when a viewer reads the file. */
export function nullIfDamaged(error: unknown): null {
  if (error instanceof IndexError || error instanceof MovieError) return null;
  throw error;
}

/**
 * Opens the index of an asset.
 * @returns null if there is no index
 * @throws IndexError if the index is damaged; StorageError `missing` if the asset's file is deleted
 */
export async function openStoredIndex(storage: Reads, filesId: string): Promise<StoredIndex | null> {
  const object = await storage.head(indexKey(filesId));
  return object && openIndex(storage, object);
}

/**
 * Opens an index and the file that it describes.
 * @throws IndexError if the index is damaged; StorageError `missing` if the asset's file is deleted
 */
async function openIndex(storage: Reads, object: StoredObject): Promise<StoredIndex> {
  const index = createStoredSource(storage, object);
  const head = await readIndexHead(index);
  const key = `${object.key.slice(0, object.key.lastIndexOf('/'))}/${head.source.file}`;
  const file = await storage.head(key);
  if (!file) throw new StorageError('missing', key);
  if (file.bytes !== head.source.bytes) throw new IndexError('it describes another file');
  return { file: createStoredSource(storage, file), index, head, object, smallFiles: createSmallFiles(head) };
}
