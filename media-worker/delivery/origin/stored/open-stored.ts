import type { Readable } from 'node:stream';
import type { StorageDriver } from '@/lib/infra/storage';
import type { StoredRange } from '@/lib/infra/storage/storage-driver';

/**
 * Opens a stored file, or a range of it.
 * @throws Error if the file no longer exists
 */
export async function openStored(
  storage: Pick<StorageDriver, 'read'>,
  key: string,
  range?: StoredRange,
): Promise<Readable> {
  const source = await storage.read(key, range);
  if (!source) throw new Error('The file was deleted during the request');
  return source;
}
