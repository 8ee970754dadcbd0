import { join } from 'node:path';
import type { Settings } from '../env';
import { openLocalStorage, removeOldParts as removeParts } from './local-driver';
import type { StorageDriver } from './storage-driver';

export { StorageError, type StorageDriver } from './storage-driver';

type StorageSettings = Pick<Settings, 'dataDir'>;

/** The storage that the settings name; it needs no closing. */
export function openStorage(settings: StorageSettings): StorageDriver {
  return openLocalStorage(localStorageRoot(settings));
}

/** Where the local driver keeps its files. */
function localStorageRoot({ dataDir }: StorageSettings): string {
  return join(dataDir, 'storage');
}

/**
 * Removes what a dead process was writing.
 * @param olderThan nothing is written so long ago and still wanted
 */
export function removeOldParts(settings: StorageSettings, olderThan: Date): Promise<number> {
  return removeParts(localStorageRoot(settings), olderThan);
}
