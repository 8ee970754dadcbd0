import { buffer } from 'node:stream/consumers';
import { type StorageDriver, StorageError } from '@/lib/infra/storage';
import type { ByteSource } from './byte-source';

/** A stored object that is read by range. */
export function createStoredSource(
  storage: Pick<StorageDriver, 'read'>,
  { key, bytes }: { readonly key: string; readonly bytes: number },
): ByteSource & Required<Pick<ByteSource, 'stream'>> {
  const stream = async (offset: number, length: number) => {
    const end = Math.min(offset + length, bytes) - 1;
    const source = await storage.read(key, { start: offset, end });
    if (!source) throw new StorageError('missing', key);
    return source;
  };
  return {
    size: bytes,
    stream,
    async read(offset, length) {
      if (offset >= bytes || length <= 0) return Buffer.alloc(0);
      return buffer(await stream(offset, length));
    },
  };
}
