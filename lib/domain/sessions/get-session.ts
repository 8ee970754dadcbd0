import type { TeamContext } from '@/lib/domain/context';
import type { Page, QueryOf } from '@/lib/contract/define-endpoint';
import {
  type Session,
  type listSessions as all,
  type listStreamSessions as ofStream,
  sessionListFields,
} from '@/lib/contract/sessions/session';
import { notFound } from '@/lib/core/errors';
import { fits } from '@/lib/core/lists/list-filters';
import { readPage } from '@/lib/core/lists/list-page';
import { type RawListQuery, parseListQuery } from '@/lib/core/lists/list-query';
import type { Prisma } from '@/lib/generated/prisma/client';
import { playableStates, serializeSession, sessionParent } from './serialize';

/** @throws AppError `not_found` for a missing or foreign session */
export async function getSession(ctx: TeamContext, id: string): Promise<Session> {
  const row = await ctx.db.session.findFirst({
    where: { id, teamId: ctx.actor.teamId },
    include: sessionParent,
  });
  if (!row) throw notFound();
  return serializeSession(row, ctx.settings);
}

const defaultOrder = 'lastSeen-true,createdAt-true';
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * One page of the team's sessions.
 * @throws AppError `bad_request` (filters, cursor), `invalid` (limit)
 */
export async function listSessions(ctx: TeamContext, query: QueryOf<typeof all>): Promise<Page<Session>> {
  const { parentId } = query;
  if (!parentId) return listWhere(ctx, {}, query);
  // An invalid id has no sessions, so the result is an empty page.
  return listWhere(ctx, { parentId: fits('uuid', parentId) ? parentId : nilUuid }, query);
}

/**
 * Conditions of a session that can be played. The counters are written seconds after the state and the recording, so each
 * of the three is sufficient.
 */
const playableSession: Prisma.SessionWhereInput[] = [
  { sourceSegmentsDuration: { gt: 0 } },
  { state: 'live', parent: { isActive: true } },
  { recording: { in: playableStates } },
];

/**
 * Sessions of one stream that can or could be played; `record` selects recorded (1, true) or unrecorded (0, false) ones.
 * @throws AppError `not_found` if the stream is missing, deleted or foreign, and the errors of listSessions
 */
export async function listStreamSessions(
  ctx: TeamContext,
  streamId: string,
  query: QueryOf<typeof ofStream>,
): Promise<Page<Session>> {
  const stream = await ctx.db.stream.findFirst({
    where: { id: streamId, teamId: ctx.actor.teamId, deletedAt: null },
    select: { id: true },
  });
  if (!stream) throw notFound();
  const record = recordOf(query.record);
  return listWhere(
    ctx,
    {
      parentId: streamId,
      OR: playableSession,
      ...(record === null ? {} : { record }),
    },
    query,
  );
}

async function listWhere(
  ctx: TeamContext,
  narrower: Prisma.SessionWhereInput,
  query: RawListQuery,
): Promise<Page<Session>> {
  const request = parseListQuery(query, sessionListFields, defaultOrder);
  const scope = { ...narrower, teamId: ctx.actor.teamId };
  return readPage(request, {
    rows: ({ conditions, orderBy, take }) =>
      ctx.db.session.findMany({
        where: { ...scope, AND: conditions },
        include: sessionParent,
        orderBy,
        take,
      }),
    count: (conditions) => ctx.db.session.count({ where: { ...scope, AND: conditions } }),
    item: (row) => serializeSession(row, ctx.settings),
  });
}

function recordOf(value: string | undefined): boolean | null {
  if (value === '1' || value === 'true') return true;
  return value === '0' || value === 'false' ? false : null;
}
