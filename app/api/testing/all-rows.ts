import { createHash } from 'node:crypto';
import type { TestApi } from './test-api';

/** What has no part in what a person owns: counters of use, the notes of migrations. */
const besides = ['_prisma_migrations', 'ApiKeyUsage'];

/** A hash of every row of the product's tables: the same hash, the same rows. */
export async function hashOfAllRows({ services: { db } }: TestApi): Promise<string> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const dumps = tables
    .filter(({ name }) => !besides.includes(name))
    .map(
      ({ name }) =>
        `select '${name}' as name, md5(string_agg(row::text, '' order by row::text)) from "${name}" row`,
    );
  const rows = await db.$queryRawUnsafe(dumps.join(' union all '));
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
}
