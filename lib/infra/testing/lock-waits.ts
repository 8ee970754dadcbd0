import type { Database } from '@/lib/infra/db';

/** Whether any statement in this database waits for a lock. */
export async function hasLockWaits(db: Database): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length > 0;
}
