import type { Context } from '@/lib/domain/context';
import { Prisma } from '@/lib/generated/prisma/client';

/** Columns that this version uses, as `Table.column`. */
const usedColumns = Object.values(Prisma.ModelName).flatMap((table) =>
  Object.values(Prisma[`${table}ScalarFieldEnum`]).map((column) => `${table}.${column}`),
);

/** Columns that this version uses and the database lacks, for example after an older backup was restored. */
export async function findMissingColumns(ctx: Pick<Context, 'db'>): Promise<string[]> {
  const rows = await ctx.db.$queryRaw<{ column: string }[]>`
    select c."relname" || '.' || a."attname" as "column"
    from pg_attribute a join pg_class c on c."oid" = a."attrelid"
    -- Tables (r) and partitioned tables (p), without system columns (attnum below 1).
    where c."relnamespace" = current_schema()::regnamespace and c."relkind" in ('r', 'p')
      and a."attnum" > 0 and not a."attisdropped"`;
  const existingColumns = new Set(rows.map(({ column }) => column));
  return usedColumns.filter((column) => !existingColumns.has(column));
}
