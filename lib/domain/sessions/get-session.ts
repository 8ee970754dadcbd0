import type { TeamContext } from '@/lib/domain/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import {
  type Session,
  type listSessions as listEndpoint,
  type listStreamSessions as streamListEndpoint,
  sessionListFields,
} from '@/lib/contract/sessions/session';
import { notFound } from '@/lib/core/errors';
import { isComparable } from '@/lib/core/lists/list-filters';
import { readPage } from '@/lib/core/lists/list-page';
import { type RawListQuery, parseListQuery } from '@/lib/core/lists/list-query';
import type { Prisma } from '@/lib/generated/prisma/client';
import { playableStates, serializeSession, sessionParent } from './serialize';

/** @throws AppError `not_found` for a missing session, or one of another team */
export async function getSession(ctx: TeamContext, id: string): Promise<Session> {
  const row = await ctx.db.session.findFirst({
    where: { id, teamId: ctx.actor.teamId },
    include: sessionParent,
  });
  if (!row) throw notFound();
  return serializeSession(row, ctx.settings);
}

/** Sessions with the last media first, in the syntax of the query parameter `order`. */
const lastSeenFirst = 'lastSeen-true,createdAt-true';
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * One page of the team's sessions.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listSessions(
  ctx: TeamContext,
  query: QueryOf<typeof listEndpoint>,
): Promise<Page<Session>> {
  const { parentId } = query;
  if (!parentId) return readSessionPage(ctx, {}, query);
  // An invalid id has no sessions, so the result is an empty page.
  return readSessionPage(ctx, { parentId: isComparable('uuid', parentId) ? parentId : nilUuid }, query);
}

/**
 * Conditions for a session that can be played; one is sufficient, because the counters are written seconds after the state
 * and the recording.
 */
const playableConditions: Prisma.SessionWhereInput[] = [
  { sourceSegmentsDuration: { gt: 0 } },
  { state: 'live', parent: { isActive: true } },
  { recording: { in: playableStates } },
];

/**
 * Sessions of one stream that can be played or could be played before; `record` selects recorded (1, true) or unrecorded
 * (0, false) sessions.
 * @throws AppError `not_found` if the stream is missing, deleted or of another team, and the errors of `listSessions`
 */
export async function listStreamSessions(
  ctx: TeamContext,
  streamId: string,
  query: QueryOf<typeof streamListEndpoint>,
): Promise<Page<Session>> {
  const stream = await ctx.db.stream.findFirst({
    where: { id: streamId, teamId: ctx.actor.teamId, deletedAt: null },
    select: { id: true },
  });
  if (!stream) throw notFound();
  const record = parseRecord(query.record);
  return readSessionPage(
    ctx,
    {
      parentId: streamId,
      OR: playableConditions,
      ...(record === null ? {} : { record }),
    },
    query,
  );
}

async function readSessionPage(
  ctx: TeamContext,
  filter: Prisma.SessionWhereInput,
  query: RawListQuery,
): Promise<Page<Session>> {
  const request = parseListQuery(query, sessionListFields, lastSeenFirst);
  const scope = { ...filter, teamId: ctx.actor.teamId };
  return readPage(request, {
    findRows: ({ conditions, orderBy, take }) =>
      ctx.db.session.findMany({
        where: { ...scope, AND: conditions },
        include: sessionParent,
        orderBy,
        take,
      }),
    countRows: (conditions) => ctx.db.session.count({ where: { ...scope, AND: conditions } }),
    toItem: (row) => serializeSession(row, ctx.settings),
  });
}

/** The filter `record`; null for a missing or unknown value, which selects all sessions. */
function parseRecord(value: string | undefined): boolean | null {
  if (value === '1' || value === 'true') return true;
  return value === '0' || value === 'false' ? false : null;
}
