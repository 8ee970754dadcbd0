import { join } from 'node:path';
import type { Settings } from '../env';
import { openLocalStorage } from './local-driver';
import { openS3WhenUsed } from './lazy-s3';
import type { StorageDriver } from './storage-driver';

export { StorageError, type StorageDriver } from './storage-driver';

type StorageSettings = Pick<Settings, 'dataDir'> & Partial<Pick<Settings, 's3'>>;

/** The storage that the settings name; it needs no closing. */
export function openStorage({ dataDir, s3 }: StorageSettings): StorageDriver {
  const root = join(dataDir, 'storage');
  return s3 ? openS3WhenUsed(s3, { copies: join(root, 'copies') }) : openLocalStorage(root);
}
