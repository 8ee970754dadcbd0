import { DAY_SECONDS } from '@/lib/core/units';
import { checkViewer, findAccessRules } from '@/lib/domain/access';
import {
  type Context,
  type TeamActor,
  transact,
  type InTransaction,
  type TeamContext,
} from '@/lib/domain/context';
import type { ViewerProof } from '@/lib/contract/access/playback-token';
import type { createViewerClip as createViewerClipEndpoint } from '@/lib/contract/assets/clip';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { AppError, notFound } from '@/lib/core/errors';
import { viewerClipLimits } from '@/lib/core/sessions/clip-range';
import { lockAndCountRunningClips, findClipSource, startClip } from './create-clip';
import { omitUndefined } from '@/lib/core/omit-undefined';

interface ViewerClipRequest extends BodyOf<typeof createViewerClipEndpoint> {
  /** Playback id of a stream, or id of a session. */
  readonly id: string;
  readonly proof: ViewerProof;
}

/**
 * Creates a clip for a viewer of a recorded stream whose owner lets viewers create clips. The clip belongs to the team of the
 * stream.
 * @returns playback id of the clip, and URL of its watch page
 * @throws AppError `not_found` for an unknown id; `forbidden` if the viewer may not watch or viewers may not create clips, or if
 * a quota of the team is reached; `invalid` for a range without media; `rate_limited` if viewers create too many clips;
 * `unavailable` if the owner's access-control webhook does not respond
 */
export async function createViewerClip(
  ctx: Context,
  { id, proof, startTime, endTime }: ViewerClipRequest,
): Promise<ResponseOf<typeof createViewerClipEndpoint>> {
  const accessRules = await findAccessRules(ctx, id);
  if (!accessRules) throw notFound(`No playback URL found for ${id.slice(0, 100)}`);
  await checkViewer(ctx, accessRules, proof);
  const actor: TeamActor = { ...anonymousActor(ctx), kind: 'anonymous', teamId: accessRules.teamId };
  return transact({ ...ctx, actor }, async (tx) => {
    const clippableStream = await requireClippableStream(tx, accessRules);
    const source = await findClipSource(
      tx,
      { ...clippableStream, startTime, endTime },
      viewerClipLimits.maxDurationMs,
    );
    if (!source) throw clipsNotAllowedError();
    await checkViewerLimits(tx, clippableStream.playbackId);
    const clipOptions = { playbackId: clippableStream.playbackId, clippedByViewer: true };
    const { clipAsset } = await startClip(tx, source, clipOptions).catch((error: unknown) => {
      throw hideQuotaError(error);
    });
    const { playbackId } = clipAsset;
    return { playbackId, url: `${ctx.settings.baseUrl}/watch/${playbackId}` };
  });
}

/** Address and browser of the viewer. A person who is signed in acts as a viewer here, not as a member of a team. */
function anonymousActor({ actor }: Context): Pick<TeamActor, 'ip' | 'userAgent'> {
  if (actor.kind === 'system') return {};
  const { ip, userAgent } = actor;
  return { ...omitUndefined({ ip }), ...omitUndefined({ userAgent }) };
}

const clipsNotAllowedError = () => new AppError('forbidden', 'viewers cannot create clips of this video');

/**
 * The stream that viewers may clip, and the id of the session if the viewer watches a recording.
 * @throws AppError `forbidden` if the owner does not let viewers create clips
 */
async function requireClippableStream(
  { db, actor: { teamId } }: InTransaction<TeamContext>,
  { kind, objectId }: { readonly kind: string; readonly objectId: string },
): Promise<{ readonly playbackId: string; readonly sessionId?: string }> {
  const isRecordingId = kind === 'recording';
  const streamFilter = isRecordingId ? { sessions: { some: { id: objectId } } } : { id: objectId };
  const stream = await db.stream.findFirst({
    where: { ...streamFilter, teamId, parentId: null, deletedAt: null, viewerClips: true },
    select: { playbackId: true },
  });
  if (!stream) throw clipsNotAllowedError();
  return { ...stream, ...(isRecordingId ? { sessionId: objectId } : {}) };
}

const RETRY_AFTER_SECONDS = 30;

/**
 * Checks the limits for clips of viewers. They are below the limits of the team, so that members can still create clips, and
 * viewers cannot fill the list of assets.
 * @throws AppError `rate_limited`
 */
async function checkViewerLimits(tx: InTransaction<TeamContext>, playbackId: string): Promise<void> {
  const { maxRunning, maxPerStream, maxPerTeam } = viewerClipLimits;
  if ((await lockAndCountRunningClips(tx)) >= maxRunning) {
    const message = 'too many clips are being made; try again soon';
    throw new AppError('rate_limited', message, { retryAfter: RETRY_AFTER_SECONDS });
  }
  const since = new Date(tx.clock.now().getTime() - DAY_SECONDS * 1_000);
  const recentViewerClips = { teamId: tx.actor.teamId, clippedByViewer: true, createdAt: { gt: since } };
  const streamClipCount = await tx.db.asset.count({
    where: { ...recentViewerClips, clipPlaybackId: playbackId },
  });
  if (streamClipCount < maxPerStream && (await tx.db.asset.count({ where: recentViewerClips })) < maxPerTeam)
    return;
  const message = 'viewers have created too many clips in the last 24 hours; try again later';
  throw new AppError('rate_limited', message, { retryAfter: DAY_SECONDS });
}

/** Hides quota errors, because viewers must not learn about the quota of the team. */
function hideQuotaError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const isTeamLimit = error.code === 'payment_required' || error.code === 'rate_limited';
  return isTeamLimit
    ? new AppError('forbidden', 'clips of this video cannot be created at the moment')
    : error;
}
