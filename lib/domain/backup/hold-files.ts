import type { Client } from 'pg';
import type { WorkerContext } from '@/lib/domain/context';

/** Id of the advisory lock that a backup has while it copies files. It ends with the connection of the backup. */
const lockId = 72_707_370;
const lockTimeout = '10s';

/**
 * Deletes a file, or with a slash at the end a folder, unless a backup is copying files; then nothing is deleted, and
 * the sweeps find it again later. Commit first that no row needs the file anymore: a backup that starts after this
 * check reads the rows after that commit.
 * @returns whether it was deleted
 */
export async function deleteFiles(
  { db, storage }: Pick<WorkerContext, 'db' | 'storage'>,
  keyOrPrefix: string,
): Promise<boolean> {
  // Shared and released at once: it is only refused while the backup has the lock.
  const [row] = await db.$queryRaw<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock_shared(${lockId}::bigint) as "free"`;
  if (!row?.free) return false;
  if (keyOrPrefix.endsWith('/')) await storage.deletePrefix(keyOrPrefix);
  else await storage.delete(keyOrPrefix);
  return true;
}

/**
 * Keeps all files until `client` disconnects.
 * @returns false if another backup has been running for 10 s
 */
export async function holdFiles(client: Client): Promise<boolean> {
  try {
    await client.query(`set lock_timeout = '${lockTimeout}'`);
    await client.query('select pg_advisory_lock($1)', [lockId]);
    await client.query('reset lock_timeout');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '55P03') return false;
    throw error;
  }
}
