import type { Audience, getAudience as getAudienceEndpoint } from '@/lib/contract/audience/audience';
import type { QueryOf } from '@/lib/contract/define-endpoint';
import type { StallCause } from '@/lib/core/audience/explain-stall';
import { latencyBounds, startupBounds, percentileOf } from '@/lib/core/audience/histogram';
import { causeShares, findStallIncidents } from '@/lib/core/audience/stall-incidents';
import { AppError, notFound } from '@/lib/core/errors';
import { MINUTE_MS } from '@/lib/core/units';
import type { TeamContext } from '@/lib/domain/context';
import { getViewershipNow } from './query-viewership';
import {
  type AudienceScope,
  readBitrates,
  readHistograms,
  readObjects,
  readPoints,
  readShares,
  readStalls,
  readTop,
} from './read-audience';
import { omitUndefined } from '@/lib/core/omit-undefined';

const HUNDREDTH_MINUTE_MS = 600;
const DEFAULT_MINUTES = 60;
const MAX_MINUTES = 525_600;
const MAX_INCIDENTS = 8;
const MAX_SHARES = 10;

type Query = QueryOf<typeof getAudienceEndpoint>;

/**
 * Audience and quality of playback of a period.
 * @throws AppError `not_found`, `invalid`
 */
export async function queryAudience(ctx: TeamContext, query: Query): Promise<Audience> {
  const { db, actor, settings } = ctx;
  const { scope, currentViewersFilter } = await readScope(ctx, query);
  const [team, points, histogramRows, shares, stalls, bitrates, top, currentViews] = await Promise.all([
    db.team.findUnique({ where: { id: actor.teamId }, select: { viewerReports: true } }),
    readPoints(db, scope),
    readHistograms(db, scope),
    readShares(db, scope),
    readStalls(db, scope),
    readBitrates(db, scope),
    scope.objectIds === null ? readTop(db, scope) : [],
    getViewershipNow(ctx, currentViewersFilter),
  ]);
  const stalledMinutes = stalls.map((stall) => ({ ...stall, cause: stall.cause as StallCause }));
  const incidents = findStallIncidents(stalledMinutes, MAX_INCIDENTS);
  const objectIds = scope.objectIds === null ? incidents.map(({ objectId }) => objectId) : [];
  const objects = await readObjects(db, scope.teamId, objectIds);
  const sum = (valueOf: (row: (typeof points)[number]) => number) =>
    points.reduce((total, row) => total + valueOf(row), 0);
  const peak = points.reduce((highest, row) => (row.peak > highest.peak ? row : highest), { peak: 0, at: 0 });
  const startups = histogramRows.filter(({ kind }) => kind === 'startup');
  const latencies = histogramRows.filter(({ kind }) => kind === 'latency');
  const sharesOf = (kind: (typeof shares)[number]['kind']) =>
    selectTopShares(shares.filter((share) => share.kind === kind));
  return {
    measured: settings.viewerReports && (team?.viewerReports ?? false),
    from: scope.from,
    to: scope.to,
    step: scope.stepMs,
    viewers: currentViews.reduce((sum, { viewCount }) => sum + viewCount, 0),
    peak: peak.peak,
    peakAt: peak.peak > 0 ? peak.at : null,
    views: sum(({ views }) => views),
    playedMinutes: Math.round(sum(({ playedMs }) => playedMs) / HUNDREDTH_MINUTE_MS) / 100,
    startupMs: quantilesOf(startupBounds, histogramOf(startups)),
    latencyMs: quantilesOf(latencyBounds, histogramOf(latencies)),
    stalledShare: fractionOf(
      sum(({ stallMs }) => stallMs),
      sum(({ playedMs }) => playedMs),
    ),
    stalls: sum((row) => row.stalls),
    stalledViews: sum(({ stalledViews }) => stalledViews),
    failures: sum(({ failures }) => failures),
    left: sum(({ left }) => left),
    points: pointsOf(scope, points, startups, new Map(bitrates.map(({ at, bitrate }) => [at, bitrate]))),
    incidents: incidents.map(({ objectId, ...incident }) => ({
      ...incident,
      object: objects.get(objectId) ?? null,
    })),
    causes: causeShares(stalledMinutes),
    heights: sharesOf('heights'),
    countries: sharesOf('countries'),
    devices: sharesOf('devices'),
    players: sharesOf('players'),
    top,
  };
}

/** Values that half and 95 % of the views do not exceed; null without views. */
const quantilesOf = (bounds: readonly number[], counts: readonly number[]) => ({
  half: percentileOf(counts, bounds, 0.5),
  most: percentileOf(counts, bounds, 0.95),
});

type HistogramRows = Awaited<ReturnType<typeof readHistograms>>;

/** Counts by range: index 0 has the count of range 1. */
function histogramOf(histogramRows: HistogramRows): number[] {
  const counts: number[] = [];
  for (const { range, count } of histogramRows) {
    while (counts.length < range) counts.push(0);
    counts[range - 1] = (counts[range - 1] ?? 0) + count;
  }
  return counts;
}

/** All points of the period. Points without a row have no viewers. */
function pointsOf(
  { from, to, stepMs }: AudienceScope,
  rows: Awaited<ReturnType<typeof readPoints>>,
  startups: HistogramRows,
  bitrates: ReadonlyMap<number, number>,
): Audience['points'] {
  const rowByTime = new Map(rows.map((row) => [row.at, row]));
  const firstPointAt = Math.floor(from / stepMs) * stepMs;
  return Array.from({ length: Math.ceil((to - firstPointAt) / stepMs) }, (_, index) => {
    const pointAt = firstPointAt + index * stepMs;
    const row = rowByTime.get(pointAt);
    const counts = histogramOf(startups.filter((startup) => startup.at === pointAt));
    // The last point may have just begun. Below 5 s its mean would be too imprecise.
    const elapsedMs = Math.max(5_000, Math.min(stepMs, to - pointAt));
    return {
      at: pointAt,
      viewers: Math.round(((row?.presentMs ?? 0) / elapsedMs) * 10) / 10,
      views: row?.views ?? 0,
      startupHalfMs: percentileOf(counts, startupBounds, 0.5),
      startupMostMs: percentileOf(counts, startupBounds, 0.95),
      stalledShare: row ? fractionOf(row.stallMs, row.playedMs) : 0,
      bitrate: bitrates.get(pointAt) ?? null,
    };
  });
}

/** Share of a part in the sum of two parts, 0 to 1. */
const fractionOf = (part: number, otherPart: number): number =>
  part + otherPart === 0 ? 0 : part / (part + otherPart);

function selectTopShares(rows: readonly { readonly name: string; readonly playedMs: number }[]) {
  const total = rows.reduce((sum, { playedMs }) => sum + playedMs, 0);
  return rows.slice(0, MAX_SHARES).map(({ name, playedMs }) => ({ name, share: playedMs / total }));
}

interface AudienceFilter {
  readonly scope: AudienceScope;
  /** Filter for the current viewers. */
  readonly currentViewersFilter: {
    readonly streamId?: string;
    readonly assetId?: string;
    readonly playbackId?: string;
  };
}

/**
 * The objects and the period of a query. A session without `minutes` has the period of the session.
 * @throws AppError `not_found`, `invalid`
 */
async function readScope(ctx: TeamContext, query: Query): Promise<AudienceFilter> {
  const { db, actor, clock } = ctx;
  const { teamId } = actor;
  const { streamId, sessionId, assetId } = query;
  const filterIds = [streamId, sessionId, assetId].filter((id) => id !== undefined);
  if (filterIds.length > 1)
    throw new AppError('invalid', {
      field: 'streamId',
      message: 'only one of streamId, sessionId and assetId',
    });
  const now = clock.now().getTime();
  const requestedRange = parseRange(query, now);
  const where = { teamId, deletedAt: null };
  if (sessionId !== undefined) {
    const session = await db.session.findFirst({ where: { id: sessionId, teamId } });
    if (!session) throw notFound();
    const startedAt = session.createdAt.getTime();
    const endedAt = (session.endedAt ?? clock.now()).getTime();
    const sessionRange = { from: startedAt, to: Math.max(endedAt, startedAt + MINUTE_MS) };
    const objectIds = [session.parentId, session.id];
    const range = query.minutes === undefined ? sessionRange : requestedRange;
    const scope = { teamId, objectIds, streamId: session.parentId, ...withStep(range) };
    return {
      scope,
      currentViewersFilter: session.endedAt ? { playbackId: session.id } : { streamId: session.parentId },
    };
  }
  if (streamId !== undefined && (await db.stream.count({ where: { ...where, id: streamId } })) === 0)
    throw notFound();
  if (assetId !== undefined && (await db.asset.count({ where: { ...where, id: assetId } })) === 0)
    throw notFound();
  const objectIds = filterIds.length > 0 ? filterIds : null;
  const filter = {
    ...omitUndefined({ streamId }),
    ...omitUndefined({ assetId }),
  };
  return {
    scope: { teamId, objectIds, streamId: streamId ?? null, ...withStep(requestedRange) },
    currentViewersFilter: filter,
  };
}

function parseRange({ minutes = String(DEFAULT_MINUTES) }: Query, now: number) {
  const requestedMinutes = Number(minutes);
  if (requestedMinutes < 1 || requestedMinutes > MAX_MINUTES)
    throw new AppError('invalid', { field: 'minutes', message: `must be 1 to ${MAX_MINUTES}` });
  return { from: now - requestedMinutes * MINUTE_MS, to: now };
}

/**
 * Length of a point in minutes. A period has at most about 200 points. Data older than 48 hours is stored per hour, older
 * than 90 days per day.
 */
const stepMinutes = [1, 5, 10, 60, 360, 1_440, 4_320] as const;
const MAX_POINTS = 200;

/** The period in Unix milliseconds, begun at a point, with the length of a point. */
function withStep({ from, to }: { readonly from: number; readonly to: number }) {
  const minutes = stepMinutes.find((step) => (to - from) / (step * MINUTE_MS) <= MAX_POINTS) ?? 4_320;
  const stepMs = minutes * MINUTE_MS;
  return { from: Math.floor(from / stepMs) * stepMs, to, stepMs };
}
