import { transact, type SystemContext, type InTransaction } from '@/lib/domain/context';
import { lockAndFindLiveStreamRejection } from '@/lib/domain/quotas';
import {
  streamRejectionReason,
  type PublishSource,
  type PublishRejection,
} from '@/lib/core/streams/publish-admission';
import type { Stream } from '@/lib/generated/prisma/client';
import { srtPassphraseOf } from '@/lib/domain/streams/srt-passphrase';
import { withdrawTestPattern } from '@/lib/domain/streams/set-test-pattern';
import { newId } from '@/lib/infra/ids';
import { notify } from '@/lib/infra/notifications';
import { startOrPauseRecording, startOrResumeSession } from '@/lib/domain/sessions';
import { endPublish } from './end-publish';
import { readLiveness } from './internal-live';
import { readLiveSettings, type LiveSettings } from './live-settings';
import { emitRecordingEvent } from './recording-events';

/** An admitted publish with its session and settings. */
export interface AuthorizedPublish {
  readonly streamId: string;
  readonly playbackId: string;
  readonly sessionId: string;
  /** Number of this publish of the stream. Writes with an older number change nothing. */
  readonly publishNumber: number;
  /** Start of the publish, by the clock of the database. */
  readonly publishedAt: Date;
  readonly settings: LiveSettings;
  /** Age of the session in milliseconds; absent for a new session. */
  readonly sessionAgeMs?: number;
  /** Whether the publish is a preview, which only the team can watch, under `playbackId`. A preview has no session. */
  readonly preview?: boolean;
}

/** A stream that was found by a stream key or backup key. */
export interface StreamOfKey {
  readonly streamId: string;
  readonly rejectionReason: ReturnType<typeof streamRejectionReason>;
  /** Whether the stream accepts a standby encoder; absent if not. */
  readonly backup?: true;
  /** Whether the publish used the backup key. */
  readonly isBackup?: true;
  /** Passphrase for publishes over SRT; absent without encryption. */
  readonly srtPassphrase?: string;
}

/** The stream of a key, and the reason why it may not be published to; null for an unknown key. */
export async function findStreamOfKey(ctx: SystemContext, streamKey: string): Promise<StreamOfKey | null> {
  const stream = await ctx.db.stream.findFirst({
    where: keyFilter(ctx, streamKey),
    select: {
      id: true,
      teamId: true,
      backup: true,
      streamKeyHash: true,
      srtPassphraseSealed: true,
      parentId: true,
      deletedAt: true,
      suspended: true,
      team: { select: { suspended: true } },
    },
  });
  if (!stream) return null;
  const rejectionReason = streamRejectionReason({ ...stream, teamSuspended: stream.team.suspended });
  if (rejectionReason) ctx.log.info({ streamId: stream.id, rejection: rejectionReason }, 'publish rejected');
  const hash = ctx.secrets.fingerprint('stream-key', streamKey);
  const isBackup = stream.streamKeyHash === null || !hash.equals(stream.streamKeyHash);
  return {
    streamId: stream.id,
    rejectionReason,
    ...(stream.backup ? { backup: true } : {}),
    ...(isBackup ? { isBackup } : {}),
    ...srtPassphraseOf(stream, ctx.secrets),
  };
}

/**
 * Prisma `where` object for the stream with this key. A backup key is valid only while the stream accepts a standby
 * encoder.
 */
function keyFilter(ctx: SystemContext, streamKey: string) {
  const hash = ctx.secrets.fingerprint('stream-key', streamKey);
  return { OR: [{ streamKeyHash: hash }, { backupKeyHash: hash, backup: true }] };
}

/** Whether an encoder may be the standby of the current publish on this node. */
export async function authorizeStandby(
  ctx: SystemContext,
  {
    streamId,
    nodeId,
    publishNumber,
    streamKey,
  }: {
    readonly streamId: string;
    readonly nodeId: string;
    readonly publishNumber: number;
    readonly streamKey?: string;
  },
): Promise<boolean> {
  const stream = await ctx.db.stream.findFirst({
    where: {
      id: streamId,
      liveNodeId: nodeId,
      runs: publishNumber,
      backup: true,
      deletedAt: null,
      suspended: false,
      team: { suspended: false },
      ...(streamKey === undefined ? {} : keyFilter(ctx, streamKey)),
    },
    select: { id: true },
  });
  return stream !== null;
}

/** Rejection of a publish with a valid key. */
export class PublishRejectedError extends Error {
  override readonly name = 'PublishRejectedError';
  constructor(readonly rejection: PublishRejection) {
    super(rejection.message);
  }
}

/** A publish that its node yields to another node. */
export interface YieldedPublish {
  readonly nodeId: string;
  readonly publishNumber: number;
}

/**
 * The node and publish of a live stream, with the URL of the node and the milliseconds since its last heartbeat.
 * @returns null if no node has the stream
 */
export async function findHolder(
  ctx: SystemContext,
  streamId: string,
): Promise<(YieldedPublish & { readonly url: string; readonly unseenMs: number }) | null> {
  const [holder] = await ctx.db.$queryRaw<
    { nodeId: string; publishNumber: number; url: string; unseenMs: number }[]
  >`
    select n."id" as "nodeId", s."runs" as "publishNumber", n."url",
      (extract(epoch from now() - n."seenAt") * 1000)::float8 as "unseenMs"
    from "Stream" s join "Node" n on n."id" = s."liveNodeId"
    where s."id" = ${streamId}::uuid`;
  return holder ?? null;
}

/**
 * Assigns the stream to `nodeId` for a new publish and starts or resumes its session, in one transaction. An encoder ends
 * the test pattern.
 * @param yieldedPublish publish that its node yields; a newer publish on that node keeps the stream
 * @param streamKey key that must still be valid, because it may have been changed since it was looked up
 * @param runningSessionId session of the stream that the node has on air, which the publish continues
 * @returns null if publishing is no longer allowed, or another live node has the stream
 * @throws PublishRejectedError at the team's limit of live streams
 */
export async function authorizePublish(
  ctx: SystemContext,
  {
    streamId,
    nodeId,
    streamKey,
    source = 'encoder',
    yieldedPublish,
    runningSessionId,
  }: {
    streamId: string;
    nodeId: string;
    streamKey?: string;
    source?: PublishSource;
    yieldedPublish?: YieldedPublish;
    runningSessionId?: string | undefined;
  },
): Promise<AuthorizedPublish | null> {
  return transact(ctx, async (tx) => {
    const liveness = await readLiveness(tx);
    const ownerAndPreview = await readOwnerAndPreview(tx, streamId);
    if (!ownerAndPreview) return null;
    const { teamId, previewPlaybackId } = ownerAndPreview;
    const preview = source === 'test-pattern' && previewPlaybackId !== null;
    const rejection =
      !preview &&
      (await lockAndFindLiveStreamRejection(tx, { teamId, streamId, aliveSince: liveness.deadBefore }));
    if (rejection) throw new PublishRejectedError(rejection);
    const [stream] = await tx.db.stream.updateManyAndReturn({
      where: {
        id: streamId,
        ...(streamKey === undefined ? {} : { AND: [keyFilter(ctx, streamKey)] }),
        parentId: null,
        deletedAt: null,
        suspended: false,
        team: { suspended: false },
        ...(source === 'test-pattern' ? { previewPlaybackId } : {}),
        OR: [
          { liveNodeId: null },
          { liveNodeId: nodeId },
          { liveNode: { seenAt: { lt: liveness.deadBefore } } },
          ...(yieldedPublish ? [holderFilter(yieldedPublish)] : []),
        ],
      },
      data: { runs: { increment: 1 }, liveNodeId: nodeId, ...(preview ? {} : { previewPlaybackId: null }) },
    });
    if (!stream) return null;
    // Makes the previous node read the stream and end its publish.
    if (yieldedPublish) await notify(tx.db, 'stream_changed', streamId);
    if (preview) return startPreview(tx, stream, { nodeId, publishedAt: liveness.now });
    // Origins cache the node of a stream, and read it again.
    await notify(tx.db, 'stream_published', stream.playbackId);
    if (source === 'encoder' && stream.testPatternUntil !== null) await withdrawTestPattern(tx, streamId);
    const { sessionId, startedAt } = await startOrResumeSession(tx, stream, runningSessionId);
    // A stream that is taken over from a dead node stays active, so the recording must be started here.
    if (stream.isActive) await emitRecordingEvent(tx, await startOrPauseRecording(tx, streamId, 'playable'));
    const { id, playbackId, runs: publishNumber } = stream;
    const settings = await readLiveSettings(tx, { streamId, sessionId });
    const sessionAgeMs = Math.max(0, liveness.now.getTime() - startedAt.getTime());
    const publish = { streamId: id, playbackId, sessionId, publishNumber, publishedAt: liveness.now };
    return { ...publish, settings, sessionAgeMs };
  });
}

/** Reads the owner of a stream and its preview before the stream is locked. The locking update compares the preview again. */
const readOwnerAndPreview = ({ db }: InTransaction<SystemContext>, id: string) =>
  db.stream.findUnique({ where: { id }, select: { teamId: true, previewPlaybackId: true } });

const holderFilter = ({ nodeId: liveNodeId, publishNumber: runs }: YieldedPublish) => ({ liveNodeId, runs });

/** Starts a preview. It ends a public session that is still active, because the preview does not belong to it. */
async function startPreview(
  tx: InTransaction<SystemContext>,
  { id, playbackId, previewPlaybackId, runs: publishNumber, settingsVersion: version, isActive }: Stream,
  { nodeId, publishedAt }: { readonly nodeId: string; readonly publishedAt: Date },
): Promise<AuthorizedPublish> {
  if (isActive) {
    await endPublish(tx, { streamId: id, nodeId, publishNumber }, 'preview_started');
    await tx.db.stream.update({ where: { id }, data: { liveNodeId: nodeId } });
  }
  const shownPlaybackId = previewPlaybackId ?? playbackId;
  await notify(tx.db, 'stream_published', shownPlaybackId);
  const settings = { version, profiles: [], record: false };
  return {
    streamId: id,
    playbackId: shownPlaybackId,
    sessionId: newId(),
    publishNumber,
    publishedAt,
    settings,
    preview: true,
  };
}
