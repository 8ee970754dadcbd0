import type { Client } from 'pg';
import type { WorkerContext } from '@/lib/domain/context';

/**
 * Id of the advisory lock that a backup holds while it copies files. The lock ends with the database connection of the
 * backup. The number has no meaning; it must differ from other advisory locks.
 */
const LOCK_ID = 72_707_370;
const lockTimeout = '10s';

/**
 * Deletes a file, or a folder if the key ends with a slash. While a backup copies files nothing is deleted, and a later
 * sweep finds the file again. Requires a committed transaction after which no row needs the file: a backup that starts
 * after this check reads the rows after that commit.
 * @returns whether it was deleted
 */
export async function deleteFiles(
  { db, storage }: Pick<WorkerContext, 'db' | 'storage'>,
  keyOrPrefix: string,
): Promise<boolean> {
  // The shared lock is released with this statement. It is not available only while a backup holds the exclusive lock.
  const [row] = await db.$queryRaw<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock_shared(${LOCK_ID}::bigint) as "free"`;
  if (!row?.free) return false;
  if (keyOrPrefix.endsWith('/')) await storage.deletePrefix(keyOrPrefix);
  else await storage.delete(keyOrPrefix);
  return true;
}

/**
 * Makes `deleteFiles` skip deletions in all processes until `client` disconnects.
 * @returns false if another backup has been running for 10 s
 */
export async function preventFileDeletion(client: Client): Promise<boolean> {
  try {
    await client.query(`set lock_timeout = '${lockTimeout}'`);
    await client.query('select pg_advisory_lock($1)', [LOCK_ID]);
    await client.query('reset lock_timeout');
    return true;
  } catch (error) {
    // 55P03 is the SQLSTATE `lock_not_available`.
    if (error instanceof Error && 'code' in error && error.code === '55P03') return false;
    throw error;
  }
}
