import type { StorageDriver } from './storage-driver';

/**
 * Names of the folders directly below a prefix in which something is older than `before`: what is younger may belong to
 * a row that is only being written.
 */
export async function* oldFolders(
  storage: Pick<StorageDriver, 'list'>,
  prefix: string,
  before: Date,
): AsyncGenerator<string> {
  let last: string | undefined;
  for await (const { key, modifiedAt } of storage.list(prefix)) {
    const name = key.slice(prefix.length).split('/', 1)[0];
    if (name === undefined || name === last || modifiedAt >= before) continue;
    last = name;
    yield name;
  }
}
