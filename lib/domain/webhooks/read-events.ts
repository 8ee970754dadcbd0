import type { TeamContext } from '@/lib/domain/context';
import type { QueryOf } from '@/lib/contract/define-endpoint';
import type {
  HappenedEventObject,
  readEvents as readEventsEndpoint,
} from '@/lib/contract/webhooks/event-endpoints';
import { eventNames } from '@/lib/core/webhooks/events';
import { AppError } from '@/lib/core/errors';
import { Prisma } from '@/lib/generated/prisma/client';
import { waitForEvent } from './wait-for-event';

const BATCH_SIZE = 100;
/** Poll interval. A notification may arrive before its event is readable, because an older transaction is still running. */
const POLL_INTERVAL_MS = 1_000;

/** Position of an event in the order of the list: the transaction that wrote it, then its id. */
interface EventPosition {
  readonly txid: bigint;
  readonly id: string;
}

interface EventRow extends EventPosition {
  readonly name: string;
  readonly test: boolean;
  readonly sequence: number | null;
  readonly payload: object;
  readonly createdAt: Date;
}

/** With this id, a position is after all events of its transaction. */
const greatestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface EventPage {
  events: HappenedEventObject[];
  cursor: string;
}

/**
 * SQL expression for the transaction id before which no new event can appear: the oldest transaction that was running when
 * the statement's snapshot was taken, or the next id if none was. Transactions in other databases of the cluster are
 * ignored, because they cannot write here. A transaction is only ignored if it is still seen in another database after the
 * snapshot; a session never changes its database. Must not be used inside a transaction, where the activity may have been
 * read before the snapshot.
 */
const horizon = Prisma.sql`(
  select coalesce(min(running::text::bigint), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
  from pg_snapshot_xip(pg_current_snapshot()) running
  where not exists (
    select 1 from pg_stat_activity elsewhere
    where elsewhere."backend_xid" = running::xid and elsewhere."datname" <> current_database()))`;

/**
 * Lists the events after a cursor, ordered by the transaction that wrote them. Events are held back while a running
 * transaction could still commit an earlier one, so a reader misses none.
 * @throws AppError `bad_request` (cursor), `unavailable` if too many requests wait
 */
export async function readEvents(
  ctx: TeamContext,
  { after, wait = '0' }: QueryOf<typeof readEventsEndpoint>,
): Promise<EventPage> {
  if (after === undefined) return { events: [], cursor: formatCursor(await readCurrentPosition(ctx)) };
  const position = await resolvePositionAfterRestore(ctx, parseCursor(after));
  const deadlineMs = ctx.clock.monotonic() + Number(wait) * 1_000;
  for (;;) {
    const remainingMs = deadlineMs - ctx.clock.monotonic();
    const { databaseUrl } = ctx.settings;
    // The subscription comes before the query, so that no commit between the two is missed.
    const nextCommit =
      remainingMs > 0 ? waitForEvent(databaseUrl, ctx.log, Math.min(remainingMs, POLL_INTERVAL_MS)) : null;
    const rows = await readRowsAfter(ctx, position);
    const lastRow = rows.at(-1);
    if (lastRow) return { events: rows.flatMap(serialize), cursor: formatCursor(lastRow) };
    if (!nextCommit) return { events: [], cursor: after };
    await nextCommit;
  }
}

function readRowsAfter(ctx: TeamContext, { txid, id }: EventPosition): Promise<EventRow[]> {
  return ctx.db.$queryRaw<EventRow[]>`
    select "id", "txid", "name", "test", "sequence", "payload", "createdAt" from "Event"
    where "teamId" = ${ctx.actor.teamId}::uuid and ("txid", "id") > (${txid}, ${id}::uuid)
      and "txid" < ${horizon}
    order by "txid", "id" limit ${BATCH_SIZE}`;
}

/** Position at which a reader without a cursor starts. Events of transactions from the horizon on are after it. */
async function readCurrentPosition(ctx: TeamContext): Promise<EventPosition> {
  const [row] = await ctx.db.$queryRaw<{ txid: bigint }[]>`
    select ${horizon} - 1 as "txid"`;
  return { txid: row?.txid ?? 0n, id: greatestUuid };
}

/**
 * Translates a cursor that was issued before a restore, because transaction ids may differ in the restored database
 * (scripts/backup/database-copy.ts). If the event of the cursor exists, reading continues after it. Otherwise, a future
 * transaction id shows that the cursor is from before the restore, and reading starts with the oldest event.
 */
async function resolvePositionAfterRestore(
  ctx: TeamContext,
  position: EventPosition,
): Promise<EventPosition> {
  const { txid, id } = position;
  const [row] = await ctx.db.$queryRaw<{ eventTxid: bigint | null; horizon: bigint }[]>`
    select ${horizon} as "horizon",
      (select "txid" from "Event" where "id" = ${id}::uuid and "teamId" = ${ctx.actor.teamId}::uuid) as "eventTxid"`;
  if (!row) return position;
  if (row.eventTxid !== null) return { txid: row.eventTxid, id };
  return txid < row.horizon ? position : { txid: -1n, id: greatestUuid };
}

function formatCursor({ txid, id }: EventPosition): string {
  return Buffer.from(`${txid}.${id}`).toString('base64url');
}

function parseCursor(cursor: string): EventPosition {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, txid, id] = /^(-?\d{1,18})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
  if (txid === undefined || id === undefined)
    throw new AppError('bad_request', { field: 'after', message: 'is not a cursor' });
  return { txid: BigInt(txid), id };
}

/** The event in the API; empty for an event of a newer version, whose name is unknown. */
function serialize(row: EventRow): HappenedEventObject[] {
  const event = eventNames.find((eventName) => eventName === row.name);
  if (!event) return [];
  const { id, createdAt, sequence, test, payload } = row;
  return [
    {
      id,
      createdAt: createdAt.getTime(),
      event,
      ...(test ? { test } : {}),
      ...(sequence === null ? {} : { sequence }),
      ...payload,
    },
  ];
}
