import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../env';
import { openLocalStorage } from './local-driver';
import { openLazyS3, tryLazyS3 } from './lazy-s3';
import type { StorageDriver } from './storage-driver';

export { StorageError, type StorageDriver } from './storage-driver';

type StorageSettings = Pick<Settings, 'dataDir'> & Partial<Pick<Settings, 's3'>>;

/** Folders below DATA_DIR/storage for unfinished files, each with a subfolder per process. */
const unfinishedFolders = ['parts', 'copies'] as const;

/**
 * Opens the storage of the settings, which needs no closing.
 * @param owner name of the process for its unfinished files (see `deleteUnfinished`)
 */
export function openStorage({ dataDir, s3 }: StorageSettings, owner = 'others'): StorageDriver {
  const root = join(dataDir, 'storage');
  const [parts, copies] = [join(root, 'parts', owner), join(root, 'copies', owner)];
  return s3 ? openLazyS3(s3, { copies, allCopies: join(root, 'copies') }) : openLocalStorage(root, { parts });
}

/** Deletes the unfinished files of the previous process with this owner name. */
export async function deleteUnfinished({ dataDir }: StorageSettings, owner: string): Promise<void> {
  for (const folder of unfinishedFolders)
    await rm(join(dataDir, 'storage', folder, owner), { recursive: true, force: true });
}

/**
 * Checks that the S3 storage is usable. The local disk was checked when its folder was created.
 * @throws StorageUnusableError with a message that names the setting
 */
export async function tryStorage({ s3 }: Pick<StorageSettings, 's3'>, signal: AbortSignal): Promise<void> {
  if (s3) await tryLazyS3(s3, signal);
}
