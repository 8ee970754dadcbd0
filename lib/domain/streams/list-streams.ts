import type { TeamContext } from '@/lib/domain/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import { type Stream } from '@/lib/contract/streams/stream';
import { streamListFields } from '@/lib/contract/streams/stream-list-fields';
import type { listStreams as listStreamsEndpoint } from '@/lib/contract/streams/stream-endpoints';
import { type Condition, readPage } from '@/lib/core/lists/list-page';
import { parseListQuery, parseBooleanParameter } from '@/lib/core/lists/list-query';
import { orderSql, whereSql } from './list-sql';
import { readRows } from '@/lib/infra/db';
import { serializeStream, streamColumns, type StreamWithTargets } from './serialize';

/** Streams with the last media first, in the syntax of the query parameter `order`. */
const lastSeenFirst = 'lastSeen-true,createdAt-true';

/**
 * One page of the team's streams and child streams of sessions.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listStreams(
  ctx: TeamContext,
  query: QueryOf<typeof listStreamsEndpoint>,
): Promise<Page<Stream>> {
  const request = parseListQuery(query, streamListFields, lastSeenFirst);
  const scope = [
    { teamId: ctx.actor.teamId, deletedAt: null },
    ...(parseBooleanParameter(query.streamsonly) ? [{ parentId: null }] : []),
    ...(parseBooleanParameter(query.sessionsonly) ? [{ parentId: { not: null } }] : []),
    ...(parseBooleanParameter(query.active) ? [{ isActive: true }] : []),
  ];
  return readPage(request, {
    findRows: ({ conditions, orderBy, take }) => {
      const { text, values } = whereSql([...scope, ...conditions]);
      return readRows<StreamWithTargets>(ctx.db, {
        // The default list, which dashboards and scripts poll, is a prepared statement.
        ...(isDefaultQuery(query) ? { name: 'list-streams' } : {}),
        text: `select ${streamColumns} from "Stream" s where ${text} order by ${orderSql(orderBy)} limit $${values.length + 1}`,
        values: [...values, take],
      });
    },
    countRows: (conditions) => countStreams(ctx, [...scope, ...conditions]),
    toItem: (row) => serializeStream(row, ctx),
  });
}

/** Whether the query contains nothing but a limit. */
function isDefaultQuery(query: QueryOf<typeof listStreamsEndpoint>): boolean {
  return Object.keys(query).every((name) => name === 'limit');
}

async function countStreams(ctx: TeamContext, conditions: readonly Condition[]): Promise<number> {
  const { text, values } = whereSql(conditions);
  const rows = await readRows<{ total: number }>(ctx.db, {
    text: `select count(*)::int as "total" from "Stream" s where ${text}`,
    values,
  });
  return rows[0]?.total ?? 0;
}
