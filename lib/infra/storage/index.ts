import { join } from 'node:path';
import type { Settings } from '../env';
import { openLocalStorage } from './local-driver';
import { openS3WhenUsed, tryS3WhenUsed } from './lazy-s3';
import type { StorageDriver } from './storage-driver';

export { StorageError, type StorageDriver } from './storage-driver';

type StorageSettings = Pick<Settings, 'dataDir'> & Partial<Pick<Settings, 's3'>>;

/** The storage that the settings name; it needs no closing. */
export function openStorage({ dataDir, s3 }: StorageSettings): StorageDriver {
  const root = join(dataDir, 'storage');
  return s3 ? openS3WhenUsed(s3, { copies: join(root, 'copies') }) : openLocalStorage(root);
}

/**
 * Whether that storage can be used as it will be; the local disk was looked at when its folder was made.
 * @throws StorageUnusable in a sentence that names the setting
 */
export async function tryStorage({ s3 }: Pick<StorageSettings, 's3'>, signal: AbortSignal): Promise<void> {
  if (s3) await tryS3WhenUsed(s3, signal);
}
