import { parseReports } from '@/lib/core/audience/read-cmcd';
import type { StallCause } from '@/lib/core/audience/explain-stall';
import { findStallIncidents, type StallIncident } from '@/lib/core/audience/stall-incidents';
import { detectDevice } from '@/lib/core/audience/viewer-device';
import { type ViewTimeline, createViewTimeline } from '@/lib/core/audience/view-timeline';
import { AppError, notFound } from '@/lib/core/errors';
import { DAY_MS, HOUR_SECONDS, MINUTE_MS } from '@/lib/core/units';
import { findAccessRules } from '@/lib/domain/access';
import type { AccountContext, Context, SystemContext } from '@/lib/domain/context';
import { deleteInBatches } from '@/lib/infra/db';
import { isUuid, newId } from '@/lib/infra/ids';

const MAX_REPORTS_PER_TEAM = 1_000;
const MAX_INCIDENTS = 20;
/** Maximum number of minutes per report: one day. */
const MAX_MINUTES = 1_440;

/** One view, as its viewer reported it. */
export interface PlaybackReport {
  readonly teamId: string;
  readonly objectId: string;
  readonly playbackId: string;
  readonly device: string;
  readonly player: string;
  readonly timeline: ViewTimeline;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/**
 * Stores the report of one view for a day. Neither the viewer's IP address nor the view id of the player is stored.
 * @throws AppError `not_found`, `invalid`, `rate_limited`
 */
export async function createPlaybackReport(
  ctx: Context,
  { playbackId, lines }: { readonly playbackId: string; readonly lines: string },
): Promise<{ url: string; expiresAt: number }> {
  const rules = await findAccessRules(ctx, playbackId);
  if (!rules?.takesReports || !ctx.settings.viewerReports) throw notFound();
  const timeline = createViewTimeline(parseReports(lines).reports);
  if (!timeline) throw new AppError('invalid', { field: 'lines', message: 'no report of a view' });
  const { teamId, objectId } = rules;
  if ((await ctx.db.playbackReport.count({ where: { teamId } })) >= MAX_REPORTS_PER_TEAM) {
    throw new AppError('rate_limited', 'too many playback reports of this team: try again later', {
      retryAfter: HOUR_SECONDS,
    });
  }
  const { id, createdAt } = await ctx.db.playbackReport.create({
    data: {
      id: newId(),
      teamId,
      objectId,
      playbackId,
      createdAt: ctx.clock.now(),
      ...detectDevice('userAgent' in ctx.actor ? ctx.actor.userAgent : undefined),
      timeline: { ...timeline, entries: timeline.entries.map((entry) => ({ ...entry })) },
    },
  });
  return { url: `${ctx.settings.baseUrl}/report/${id}`, expiresAt: createdAt.getTime() + DAY_MS };
}

/** The report of a link; null if it has expired, or the watched object was deleted. */
export async function readPlaybackReport(ctx: Context, id: string): Promise<PlaybackReport | null> {
  if (!isUuid(id)) return null;
  const row = await ctx.db.playbackReport.findFirst({
    where: { id, createdAt: { gt: new Date(ctx.clock.now().getTime() - DAY_MS) } },
  });
  if (!row || !(await findAccessRules(ctx, row.playbackId))) return null;
  const { teamId, objectId, playbackId, device, player, createdAt } = row;
  return {
    teamId,
    objectId,
    playbackId,
    device,
    player,
    timeline: row.timeline as unknown as ViewTimeline,
    expiresAt: createdAt.getTime() + DAY_MS,
  };
}

/** Causes of the stalls during a report; empty if the account is not a member of the team. */
export async function explainReport(
  { db, actor }: AccountContext,
  { objectId, teamId, timeline }: Pick<PlaybackReport, 'objectId' | 'teamId' | 'timeline'>,
): Promise<StallIncident[]> {
  const memberFilter = { teamId, userId: actor.userId, team: { suspended: false } };
  if ((await db.teamMember.count({ where: memberFilter })) === 0) return [];
  const minutes = await db.stallMinute.findMany({
    where: {
      objectId,
      teamId,
      minute: { gte: new Date(timeline.from - MINUTE_MS), lte: new Date(timeline.to) },
    },
    orderBy: { minute: 'asc' },
    take: MAX_MINUTES,
  });
  return findStallIncidents(
    minutes.map(({ minute, cause, measure, stallMs, stalledViews, viewers }) => ({
      objectId,
      at: minute.getTime(),
      cause: cause as StallCause,
      measure,
      stalledMs: Number(stallMs),
      stalledViews,
      viewers,
    })),
    MAX_INCIDENTS,
  );
}

/** Deletes reports older than a day. */
export function expirePlaybackReports({ db }: SystemContext): Promise<number> {
  return deleteInBatches(
    (limit) => db.$executeRaw`
      delete from "PlaybackReport" where ctid in (
        select ctid from "PlaybackReport" where "createdAt" < now() - interval '1 day' limit ${limit})`,
  );
}
