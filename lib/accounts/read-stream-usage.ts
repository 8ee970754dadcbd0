import type { AccountContext } from '@/lib/context';
import type { Usage } from '@/lib/contract/usage';
import { Prisma } from '@/lib/generated/prisma/client';
import { livedSince, mediaOf, sentBy, type MediaRow, type Span } from './usage-rows';

const most = 100;

interface StreamRow extends MediaRow {
  readonly id: string;
  readonly name: string;
  readonly deleted: boolean;
}

/**
 * Minutes of each stream in a time: of a session that began before or ended after it, the part inside. What viewers got
 * of its recordings is in what was delivered.
 */
export async function readStreamUsage(ctx: AccountContext, span: Span): Promise<Usage['streams']> {
  const { db, actor } = ctx;
  const rows = await db.$queryRaw<StreamRow[]>`
    with span as (
      select ${span.from}::timestamp as first, ${span.to}::timestamp + interval '1 day' as past),
    lived as (${livedSince(ctx, span)}),
    minutes as (
      select stream as id, sum(ingested * share) as ingested, sum(transcoded * share) as transcoded
      from lived, span, lateral (
        select extract(epoch from least(ended, past) - greatest(began, first))
          / extract(epoch from ended - began) as share) part
      where began < past and ended > first and ingested > 0
      group by stream),
    sent as (${sentBy(Prisma.sql`"objectId" as id`, ctx, span)})
    select s."id", s."name", s."deletedAt" is not null as deleted,
      coalesce(ingested, 0)::float8 as ingested, coalesce(transcoded, 0)::float8 as transcoded,
      coalesce(bytes, 0) as "deliveredBytes", coalesce(seconds, 0)::float8 as delivered
    from (minutes full join sent using (id)) each
      join "Stream" s on s."id" = each.id and s."userId" = ${actor.userId}::uuid
    order by 4 desc, 6 desc, 1 limit ${most}`;
  return rows.map(({ id, name, deleted, ...media }) => ({ id, name, deleted, ...mediaOf(media) }));
}
