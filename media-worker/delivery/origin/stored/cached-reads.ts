import { LRUCache } from 'lru-cache';
import type { SliceCache } from '@/lib/infra/cache/slice-cache';
import { StorageError, type StorageDriver } from '@/lib/infra/storage';

type Reads = Pick<StorageDriver, 'head' | 'read'>;

/** Files that may be rewritten under their name are never cached. */
const rewritableFile = /\.(?:m3u8|vtt|jpg|png|json)$/;
const MAX_OBJECTS = 20_000;

/**
 * Wraps a storage so that media is cached on the local disk. `head` always asks the storage, so that an object
 * deleted before the request is not served. `read` caches the versions that `head` returned.
 */
export function createCachedReads(storage: Reads, slices: SliceCache): Reads {
  /** Key → length and version, as last seen. */
  const objects = new LRUCache<string, { readonly bytes: number; readonly etag: string }>({
    max: MAX_OBJECTS,
  });
  return {
    async head(key) {
      const object = await storage.head(key);
      if (object) objects.set(key, { bytes: object.bytes, etag: object.etag });
      else objects.delete(key);
      return object;
    },
    async read(key, range) {
      const version = rewritableFile.test(key) ? undefined : objects.get(key);
      if (!version || version.bytes === 0) return storage.read(key, range);
      const { bytes, etag } = version;
      const readPart = async (part: { readonly start: number; readonly end: number }) => {
        const source = await storage.read(key, part);
        if (!source) throw new StorageError('missing', key);
        return source;
      };
      const end = Math.min(range?.end ?? bytes - 1, bytes - 1);
      return slices.read(
        { name: `${key} ${etag}`, bytes, read: readPart },
        { start: range?.start ?? 0, end },
      );
    },
  };
}
