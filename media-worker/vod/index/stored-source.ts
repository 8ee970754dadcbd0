import { buffer } from 'node:stream/consumers';
import { type StorageDriver, StorageError } from '@/lib/infra/storage';
import type { ByteSource } from './byte-source';

/** A stored object that is read by range, as viewers need it. */
export function storedSource(
  storage: Pick<StorageDriver, 'read'>,
  { key, bytes }: { readonly key: string; readonly bytes: number },
): ByteSource {
  return {
    size: bytes,
    async read(offset, length) {
      const end = Math.min(offset + length, bytes) - 1;
      if (end < offset) return Buffer.alloc(0);
      const source = await storage.read(key, { start: offset, end });
      if (!source) throw new StorageError('missing', key);
      return buffer(source);
    },
  };
}
