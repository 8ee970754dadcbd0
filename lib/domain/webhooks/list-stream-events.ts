import { notFound } from '@/lib/core/errors';
import type { TeamContext } from '@/lib/domain/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import {
  streamEventListFields,
  type listStreamEvents as listStreamEventsEndpoint,
  type StreamEvent,
} from '@/lib/contract/webhooks/event-endpoints';
import { streamScopedEventNames } from '@/lib/core/webhooks/events';
import { readPage } from '@/lib/core/lists/list-page';
import { parseListQuery } from '@/lib/core/lists/list-query';
import type { Prisma } from '@/lib/generated/prisma/client';
import { reasonField } from '@/lib/core/reasons/reason';

/**
 * Newest first, in the syntax of the query parameter `order`. The order by sequence is unique and has an index; the order by
 * time has neither.
 */
const newestFirst = 'sequence-true';
const MAX_DELIVERIES = 20;

const eventSelection = {
  id: true,
  name: true,
  sequence: true,
  payload: true,
  createdAt: true,
  deliveries: {
    where: { webhook: { deletedAt: null } },
    select: { id: true, webhookId: true, state: true, webhook: { select: { name: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MAX_DELIVERIES,
  },
} as const satisfies Prisma.EventSelect;

/**
 * One page of the events of a stream.
 * @throws AppError `not_found`, `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listStreamEvents(
  ctx: TeamContext,
  streamId: string,
  query: QueryOf<typeof listStreamEventsEndpoint>,
): Promise<Page<StreamEvent>> {
  const request = parseListQuery(query, streamEventListFields, newestFirst);
  const { teamId } = ctx.actor;
  const ownStream = { id: streamId, teamId, deletedAt: null };
  if ((await ctx.db.stream.count({ where: ownStream })) === 0) throw notFound();
  const scope = { teamId, streamId, sequence: { not: null }, name: { in: [...streamScopedEventNames] } };
  return readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.event.findMany({ where: { ...scope, AND: conditions }, select: eventSelection, orderBy, take }),
    countRows: (conditions) => ctx.db.event.count({ where: { ...scope, AND: conditions } }),
    toItem: serialize,
  });
}

/** English reason in the payload of an event, for example why an encoder was rejected. */
function serverMessageIn(payload: StreamEvent['payload']): string | undefined {
  const message = payload?.message ?? payload?.error;
  return typeof message === 'string' ? message : undefined;
}

function serialize(row: Prisma.EventGetPayload<{ select: typeof eventSelection }>): StreamEvent {
  const { payload } = row.payload as { payload?: NonNullable<StreamEvent['payload']> };
  return {
    id: row.id,
    createdAt: row.createdAt.getTime(),
    // The query returns only these names, so the fallback is for the type.
    event: streamScopedEventNames.find((name) => name === row.name) ?? 'stream.idle',
    sequence: row.sequence ?? 0,
    ...(payload ? { payload } : {}),
    ...reasonField('reason', serverMessageIn(payload)),
    deliveries: row.deliveries.map(({ id, webhookId, state, webhook }) => ({
      id,
      webhookId,
      webhookName: webhook.name,
      state,
    })),
  };
}
