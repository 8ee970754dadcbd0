import type { Context } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { quotaRejection, type QuotaRejection } from '@/lib/core/quotas/quota';
import { quotaPublishRejection, type PublishRejection } from '@/lib/core/streams/publish-admission';
import type { Transaction } from '@/lib/infra/db';
import { readQuotas, readTeamStorage } from './read-quotas';
import { readReservedBytes } from './reserve-storage';

type QuotaReader = Pick<Context, 'db' | 'settings'>;

function throwRejection(rejection: QuotaRejection | null): void {
  if (rejection) throw new AppError(rejection.code, rejection.message);
}

/** Reason why a team may not store more; null if it may. */
export async function findStorageRejection(ctx: QuotaReader, teamId: string): Promise<QuotaRejection | null> {
  const { storageBytes: limit } = await readQuotas(ctx, teamId);
  if (limit === null) return null;
  const [usedBytes, reservedBytes] = [
    await readTeamStorage(ctx, teamId),
    await readReservedBytes(ctx, teamId),
  ];
  return quotaRejection('storageBytes', { limit, used: usedBytes, reserved: reservedBytes, requested: 0 });
}

/**
 * Checks the storage quota before a file of unknown size is requested. Its size is checked by `reserveStorage` when it
 * arrives.
 * @throws AppError `payment_required`
 */
export async function checkStorageQuota(ctx: QuotaReader, teamId: string): Promise<void> {
  throwRejection(await findStorageRejection(ctx, teamId));
}

/** @throws AppError `forbidden` if a stream has more renditions than its team may have */
export async function checkRenditionQuota(
  ctx: QuotaReader,
  teamId: string,
  renditionCount: number,
): Promise<void> {
  if (renditionCount === 0) return;
  const { renditions: limit } = await readQuotas(ctx, teamId);
  throwRejection(quotaRejection('renditions', { limit, used: 0, requested: renditionCount }));
}

/** Maximum bytes of an asset's file: the smaller of the team's limit and the service's limit. */
export async function readUploadLimit(ctx: QuotaReader, assetId: string): Promise<number> {
  const { maxUploadBytes } = ctx.settings;
  const asset = await ctx.db.asset.findUnique({ where: { id: assetId }, select: { teamId: true } });
  if (!asset) return maxUploadBytes;
  return Math.min(maxUploadBytes, (await readQuotas(ctx, asset.teamId)).uploadBytes ?? maxUploadBytes);
}

/** The team that owns a stream or asset with this playback id, or a recorded session with this id. */
export async function findTeamOfContent(
  { db }: Pick<Context, 'db'>,
  id: string,
): Promise<{ readonly teamId: string } | null> {
  const select = { teamId: true };
  // A session has a UUID of 36 characters, a playback id has 16.
  if (id.length === 36) return db.session.findUnique({ where: { id }, select });
  const where = { playbackId: id };
  return (await db.stream.findFirst({ where, select })) ?? db.asset.findFirst({ where, select });
}

/**
 * Reason why a team may have no further live stream; null if it may. Locks teams with a limit until the transaction ends,
 * so that concurrent publishes are counted.
 * @param aliveSince nodes without a heartbeat since this time have no streams
 */
export async function lockAndFindLiveStreamRejection(
  ctx: Pick<Context, 'settings'> & { readonly db: Transaction },
  {
    teamId,
    streamId,
    aliveSince,
  }: { readonly teamId: string; readonly streamId: string; readonly aliveSince: Date },
): Promise<PublishRejection | null> {
  const { liveStreams: limit } = await readQuotas(ctx, teamId);
  if (limit === null) return null;
  await ctx.db
    .$executeRaw`select pg_advisory_xact_lock(hashtextextended('live streams ' || ${teamId}::text, 0))`;
  const liveFilter = { deletedAt: null, previewPlaybackId: null, liveNode: { seenAt: { gte: aliveSince } } };
  // A reconnect of a live stream is always allowed, even after the limit was lowered.
  if ((await ctx.db.stream.count({ where: { id: streamId, ...liveFilter } })) > 0) return null;
  const usedStreams = await ctx.db.stream.count({
    where: { teamId, id: { not: streamId }, ...liveFilter },
  });
  const rejection = quotaRejection('liveStreams', { limit, used: usedStreams, requested: 1 });
  return rejection && quotaPublishRejection(rejection.message);
}
