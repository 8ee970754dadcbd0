import { inheritedPolicy, type PolicyColumns } from '@/lib/domain/access';
import { serializeAsset } from '@/lib/domain/assets/serialize';
import { transact, type SystemContext, type TeamContext, type InTransaction } from '@/lib/domain/context';
import type { createClip as createClipEndpoint } from '@/lib/contract/assets/clip';
import type { VideoSpec } from '@/lib/contract/assets/media-spec';
import type { BodyOf, ResponseOf } from '@/lib/contract/define-endpoint';
import { isReadyAsset } from '@/lib/core/assets/asset-state';
import { AppError, notFound, isFieldIssue } from '@/lib/core/errors';
import { type ClipRange, clipLimits, resolveClipRange } from '@/lib/core/sessions/clip-range';
import type { RecordingState } from '@/lib/core/sessions/recording-state';
import { unfinishedTaskPhases } from '@/lib/core/tasks/task-state';
import type { Asset, Session, Task } from '@/lib/generated/prisma/client';
import { createTask, lockTeam, serializeTask, type RunningTask } from '@/lib/domain/tasks';
import { createAsset } from './create-asset';

/** Recording states with segments in the storage, or segments that will be stored soon. */
const clippableStates: RecordingState[] = ['recording', 'waiting', 'processing', 'importing', 'ready'];
/** Prisma `where` object for sessions that a clip can be cut from. */
const recordedFilter = { record: true, recording: { in: clippableStates }, recordingRemovedAt: null };

const unknownPlaybackError = () => notFound('no stream or asset of this team has this playbackId');

interface ClipSource {
  readonly range: ClipRange;
  readonly name: string;
  readonly policy: PolicyColumns;
  readonly sessionId: string | null;
  readonly inputAssetId: string | null;
}

/**
 * Creates an asset from a range of a recording, of a session that is being recorded, or of an asset.
 * @throws AppError `not_found`; `invalid` for a range without media; `precondition_failed` if the asset is not ready;
 * `forbidden` with too many clips in progress; `payment_required`, `rate_limited`
 */
export async function createClip(
  ctx: TeamContext,
  body: BodyOf<typeof createClipEndpoint>,
): Promise<ResponseOf<typeof createClipEndpoint>> {
  return transact(ctx, async (tx) => {
    const source = (await findClipSource(tx, body)) ?? (await requireAssetSource(tx, body));
    if ((await lockAndCountRunningClips(tx)) >= clipLimits.maxRunning) {
      const message = `at most ${clipLimits.maxRunning} clips can be made at the same time; try again when one is ready`;
      throw new AppError('forbidden', message);
    }
    const { clipAsset, task } = await startClip(tx, source, body);
    return { asset: serializeAsset(clipAsset, ctx.settings), task: serializeTask(task) };
  });
}

/** Maximum length of the source's name in the name of a clip, which has a suffix. */
const MAX_SOURCE_NAME_LENGTH = 490;

/** Name of a viewer's clip, which must differ from the name of its source in the list of assets. */
const viewerClipName = (sourceName: string): string =>
  `${sourceName.slice(0, MAX_SOURCE_NAME_LENGTH)} (clip)`;

/**
 * Creates the asset and the task of a clip.
 * @throws AppError `payment_required`, `rate_limited`
 */
export async function startClip(
  tx: InTransaction<TeamContext>,
  { range, name, policy, sessionId, inputAssetId }: ClipSource,
  request: { readonly playbackId: string; readonly name?: string; readonly clippedByViewer?: boolean },
): Promise<{ readonly clipAsset: Asset; readonly task: Task }> {
  const { playbackId, clippedByViewer = false } = request;
  const clipAsset = await createAsset(tx, {
    name: request.name ?? (clippedByViewer ? viewerClipName(name) : name),
    sourceType: 'clip',
    clipOf: { playbackId, sessionId, clippedByViewer },
    policy,
  });
  const clipStrategy = { playbackId, startTime: range.startMs, endTime: range.endMs };
  const task = await createTask(tx, {
    type: 'clip',
    params: { clip: { clipStrategy, ...(sessionId === null ? {} : { sessionId }) } },
    ...(inputAssetId === null ? {} : { inputAssetId }),
    outputAssetId: clipAsset.id,
    isDue: true,
  });
  return { clipAsset, task };
}

/** Number of the team's clips in progress. Locks the team, so that concurrent requests cannot exceed a limit. */
export async function lockAndCountRunningClips(tx: InTransaction<TeamContext>): Promise<number> {
  await lockTeam(tx);
  const runningClips = { teamId: tx.actor.teamId, type: 'clip', phase: { in: [...unfinishedTaskPhases] } };
  return tx.db.task.count({ where: runningClips });
}

/**
 * Source of a clip of a stream; null if the playback id is not that of a stream.
 * @param maxDurationMs maximum length of a clip
 * @throws AppError `not_found` for an unknown session, `invalid` without recorded media in the range
 */
export async function findClipSource(
  tx: InTransaction<TeamContext>,
  { playbackId, startTime, endTime, sessionId }: BodyOf<typeof createClipEndpoint>,
  maxDurationMs?: number,
): Promise<ClipSource | null> {
  const { teamId } = tx.actor;
  const stream = await tx.db.stream.findFirst({
    where: { teamId, playbackId, parentId: null, deletedAt: null },
    select: { id: true },
  });
  if (!stream) {
    if (sessionId === undefined) return null;
    throw unknownPlaybackError();
  }
  const streamFilter = { teamId, parentId: stream.id };
  // Without a session id, the clip is cut from the last session that began before the end of the range.
  const sessionFilter =
    sessionId === undefined
      ? { createdAt: { lt: new Date(Math.min(endTime ?? Number.POSITIVE_INFINITY, MAX_DATE_MS)) } }
      : { id: sessionId };
  const session = await tx.db.session.findFirst({
    where: { ...streamFilter, ...recordedFilter, ...sessionFilter },
    orderBy: { createdAt: 'desc' },
  });
  if (!session) throw await createNoRecordingError(tx, streamFilter, sessionId);
  const range = resolveClipRange(
    { startTime, endTime },
    availableRange(session, tx.clock.now()),
    maxDurationMs,
  );
  if (isFieldIssue(range)) throw new AppError('invalid', range);
  const { id, name } = session;
  return { range, name, policy: inheritedPolicy(session), sessionId: id, inputAssetId: null };
}

/** Maximum time value of a JavaScript `Date` (ECMA-262 section 21.4.1.1). */
const MAX_DATE_MS = 8.64e15;

async function createNoRecordingError(
  tx: InTransaction<TeamContext>,
  streamFilter: { teamId: string; parentId: string },
  id: string | undefined,
): Promise<AppError> {
  if (id === undefined)
    return new AppError('invalid', {
      field: 'startTime',
      message: 'nothing was recorded at this time; clips need a stream with `record` on',
    });
  const exists = (await tx.db.session.count({ where: { ...streamFilter, id } })) > 0;
  return exists
    ? new AppError('invalid', { field: 'sessionId', message: 'this session has no recording' })
    : notFound('no session of this stream has this sessionId');
}

/** The recorded part of a session, in Unix milliseconds. */
function availableRange({ state, createdAt, lastSeen }: Session, now: Date) {
  const isLive = state !== 'ended';
  return {
    startMs: createdAt.getTime(),
    endMs: (isLive ? now : (lastSeen ?? createdAt)).getTime(),
    live: isLive,
  };
}

async function requireAssetSource(
  tx: InTransaction<TeamContext>,
  { playbackId, startTime, endTime }: BodyOf<typeof createClipEndpoint>,
): Promise<ClipSource> {
  const where = { teamId: tx.actor.teamId, playbackId, deletedAt: null };
  const asset = await tx.db.asset.findFirst({ where });
  if (!asset) throw unknownPlaybackError();
  if (!isReadyAsset(asset.phase)) {
    const message = `asset is not ready to be clipped: its phase is ${asset.phase}`;
    throw new AppError('precondition_failed', message);
  }
  const endMs = ((asset.videoSpec as VideoSpec | null)?.duration ?? 0) * 1_000;
  const range = resolveClipRange({ startTime, endTime }, { startMs: 0, endMs, live: false });
  if (isFieldIssue(range)) throw new AppError('invalid', range);
  const { id, name } = asset;
  return { range, name, policy: inheritedPolicy(asset), sessionId: null, inputAssetId: id };
}

/** The session that a clip is cut from; null if its recording was deleted. */
export async function findClipSession(
  { db }: Pick<SystemContext, 'db'>,
  { id, teamId }: { readonly id: string; readonly teamId: string },
): Promise<Session | null> {
  return db.session.findFirst({ where: { id, teamId, ...recordedFilter } });
}

/** Input of a clip task. */
export interface ClipWork {
  /** Unix milliseconds for a session, milliseconds from the start for an asset. */
  readonly range: ClipRange;
  /** Session of the clip; null for a clip of an asset. */
  readonly sessionId: string | null;
  /** Whether more segments of the session may be stored later. */
  readonly growing: boolean;
}

/**
 * The range and the session of a clip task.
 * @returns null if the recording was deleted
 */
export async function readClipWork(
  ctx: SystemContext,
  { params, teamId }: Pick<RunningTask, 'params' | 'teamId'>,
): Promise<ClipWork | null> {
  const { clip } = params as unknown as {
    readonly clip: {
      readonly clipStrategy: { readonly startTime: number; readonly endTime: number };
      readonly sessionId?: string;
    };
  };
  const range = { startMs: clip.clipStrategy.startTime, endMs: clip.clipStrategy.endTime };
  if (clip.sessionId === undefined) return { range, sessionId: null, growing: false };
  const session = await findClipSession(ctx, { id: clip.sessionId, teamId });
  if (!session) return null;
  // An imported recording is complete; before, late segments may still be stored.
  const isGrowing = session.recording !== 'importing' && session.recording !== 'ready';
  return { range, sessionId: session.id, growing: isGrowing };
}
