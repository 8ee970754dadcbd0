import type { S3StorageOptions } from './s3-driver';
import type { S3Settings } from './s3-settings';
import type { StorageDriver } from './storage-driver';

/** Checks S3 storage with s3-trial.ts, which is loaded on demand. */
export async function tryLazyS3(settings: S3Settings, signal: AbortSignal): Promise<void> {
  const { tryS3 } = await import('./s3-trial');
  await tryS3(settings, { signal });
}

/** Loading the S3 client takes a third of a second and 20 MB, so it is loaded on first use. */
export function openLazyS3(settings: S3Settings, options: S3StorageOptions): StorageDriver {
  let loading: Promise<StorageDriver> | undefined;
  const open = () =>
    (loading ??= import('./s3-driver').then(({ openS3Storage }) => openS3Storage(settings, options)));
  return {
    put: async (...args) => (await open()).put(...args),
    putFile: async (...args) => (await open()).putFile(...args),
    head: async (key) => (await open()).head(key),
    read: async (...args) => (await open()).read(...args),
    withFile: async (key, use) => (await open()).withFile(key, use),
    delete: async (key) => (await open()).delete(key),
    deletePrefix: async (prefix) => (await open()).deletePrefix(prefix),
    async *list(prefix) {
      yield* (await open()).list(prefix);
    },
    copy: async (from, to) => (await open()).copy(from, to),
    copyPrefix: async (...args) => (await open()).copyPrefix(...args),
    room: async () => (await open()).room(),
    deleteAbandonedFiles: async (olderThan) => (await open()).deleteAbandonedFiles(olderThan),
  };
}
