import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../env';
import { openLocalStorage } from './local-driver';
import { openS3WhenUsed, tryS3WhenUsed } from './lazy-s3';
import type { StorageDriver } from './storage-driver';

export { StorageError, type StorageDriver } from './storage-driver';

type StorageSettings = Pick<Settings, 'dataDir'> & Partial<Pick<Settings, 's3'>>;

/** Folders below DATA_DIR/storage for what is only being written, each with one of its own for each process. */
const unfinishedFolders = ['parts', 'copies'] as const;

/**
 * The storage that the settings name; it needs no closing.
 * @param owner of what is only being written, so that `deleteUnfinished` can tell what a dead process left
 */
export function openStorage({ dataDir, s3 }: StorageSettings, owner = 'others'): StorageDriver {
  const root = join(dataDir, 'storage');
  const [parts, copies] = [join(root, 'parts', owner), join(root, 'copies', owner)];
  return s3
    ? openS3WhenUsed(s3, { copies, allCopies: join(root, 'copies') })
    : openLocalStorage(root, { parts });
}

/** Removes what the process that was `owner` before this one was writing when it was killed. */
export async function deleteUnfinished({ dataDir }: StorageSettings, owner: string): Promise<void> {
  for (const folder of unfinishedFolders)
    await rm(join(dataDir, 'storage', folder, owner), { recursive: true, force: true });
}

/**
 * Whether that storage can be used as it will be; the local disk was looked at when its folder was made.
 * @throws StorageUnusable in a sentence that names the setting
 */
export async function tryStorage({ s3 }: Pick<StorageSettings, 's3'>, signal: AbortSignal): Promise<void> {
  if (s3) await tryS3WhenUsed(s3, signal);
}
