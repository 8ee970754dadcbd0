import { DAY_SECONDS } from '@/lib/core/units';
import { checkViewer, findGate } from '@/lib/domain/access';
import {
  type Context,
  type TeamActor,
  transact,
  type InTransaction,
  type TeamContext,
} from '@/lib/domain/context';
import type { ViewerProof } from '@/lib/contract/access/playback-token';
import type { createViewerClip as endpoint } from '@/lib/contract/assets/clip';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { AppError, notFound } from '@/lib/core/errors';
import { viewerClipLimits } from '@/lib/core/sessions/clip-range';
import { countRunningClips, findSessionSource, startClip } from './create-clip';
import { omitUndefined } from '@/lib/core/omit-undefined';

interface ViewerClipRequest extends BodyOf<typeof endpoint> {
  /** Playback id of a stream, or id of a session. */
  readonly id: string;
  readonly proof: ViewerProof;
}

/**
 * Creates a clip for a viewer of a recorded stream whose owner allows it. The clip belongs to the team.
 * @throws AppError `not_found`; `forbidden` if viewers may not watch or create clips, or the team has reached its quota;
 * `invalid` for a range without media; `rate_limited` with too many clips; `unavailable`
 */
export async function createViewerClip(
  ctx: Context,
  { id, proof, startTime, endTime }: ViewerClipRequest,
): Promise<ResponseOf<typeof endpoint>> {
  const gate = await findGate(ctx, id);
  if (!gate) throw notFound(`No playback URL found for ${id.slice(0, 100)}`);
  await checkViewer(ctx, gate, proof);
  const actor: TeamActor = { ...anonymousActor(ctx), kind: 'anonymous', teamId: gate.teamId };
  return transact({ ...ctx, actor }, async (tx) => {
    const clippableStream = await requireClippableStream(tx, gate);
    const source = await findSessionSource(
      tx,
      { ...clippableStream, startTime, endTime },
      viewerClipLimits.maxMs,
    );
    if (!source) throw clipsNotAllowedError();
    await checkViewerLimits(tx, clippableStream.playbackId);
    const clip = { playbackId: clippableStream.playbackId, byViewer: true };
    const { output } = await startClip(tx, source, clip).catch((error: unknown) => {
      throw hideQuotaError(error);
    });
    const { playbackId } = output;
    return { playbackId, url: `${ctx.settings.baseUrl}/watch/${playbackId}` };
  });
}

/** Actor fields without the team of a signed-in person, who acts as a viewer here. */
function anonymousActor({ actor }: Context): Pick<TeamActor, 'ip' | 'userAgent'> {
  if (actor.kind === 'system') return {};
  const { ip, userAgent } = actor;
  return { ...omitUndefined({ ip }), ...omitUndefined({ userAgent }) };
}

const clipsNotAllowedError = () => new AppError('forbidden', 'viewers cannot create clips of this video');

/** The stream that viewers may clip, and the session if the id is that of a recording. */
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
 * Checks the viewer limits, which are below the team's limits: members can always create clips, and viewers cannot fill
 * the list of assets within a day.
 */
async function checkViewerLimits(tx: InTransaction<TeamContext>, playbackId: string): Promise<void> {
  const { running, perStream, perTeam } = viewerClipLimits;
  if ((await countRunningClips(tx)) >= running) {
    const message = 'too many clips are being made; try again soon';
    throw new AppError('rate_limited', message, { retryAfter: RETRY_AFTER_SECONDS });
  }
  const since = new Date(tx.clock.now().getTime() - DAY_SECONDS * 1_000);
  const clipsSince = { teamId: tx.actor.teamId, clippedByViewer: true, createdAt: { gt: since } };
  const streamClipCount = await tx.db.asset.count({ where: { ...clipsSince, clipPlaybackId: playbackId } });
  if (streamClipCount < perStream && (await tx.db.asset.count({ where: clipsSince })) < perTeam) return;
  const message = 'viewers have created too many clips of this video today; try again tomorrow';
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
