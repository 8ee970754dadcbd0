import { type Context, transact } from '@/lib/domain/context';
import { unfinishedAssetPhases } from '@/lib/core/assets/asset-state';
import { quotaRejection, type QuotaRejection } from '@/lib/core/quotas/quota';
import { Prisma } from '@/lib/generated/prisma/client';
import { readQuotas, readTeamStorage } from './read-quotas';

type QuotaContext = Pick<Context, 'db' | 'settings'>;

/**
 * Reserved bytes of files that are still arriving, without the bytes that are already stored.
 * @param excludedAssetId asset that is not counted
 */
export async function readReservedBytes(
  { db }: Pick<Context, 'db'>,
  teamId: string,
  excludedAssetId?: string,
): Promise<number> {
  const otherReservations =
    excludedAssetId === undefined ? Prisma.empty : Prisma.sql`and "id" <> ${excludedAssetId}::uuid`;
  const [row] = await db.$queryRaw<{ bytes: bigint }[]>`
    select coalesce(sum(greatest("reservedBytes" - greatest("storedBytes", coalesce("size", 0)), 0)), 0)::bigint
      as "bytes"
    from "Asset" where "teamId" = ${teamId}::uuid and "reservedBytes" > 0 and "deletedAt" is null
      and "phase"::text = any(${[...unfinishedAssetPhases]}::text[]) ${otherReservations}`;
  return Number(row?.bytes ?? 0);
}

interface Reservation {
  readonly assetId: string;
  /** Size of the whole file, or of its known part. */
  readonly bytes: number;
}

/**
 * Reserves storage for the file of an asset before it is stored. The reservation lasts until the asset is ready or has
 * failed. Locks teams with a limit, so that two files cannot both get the last bytes.
 * @returns the reason why there is no room; null if the bytes are reserved, or the asset does not exist
 */
export async function reserveStorage(
  ctx: Context,
  { assetId, bytes }: Reservation,
): Promise<QuotaRejection | null> {
  return transact(ctx, async (tx) => {
    const asset = await tx.db.asset.findUnique({ where: { id: assetId } });
    if (!asset || asset.reservedBytes >= bytes) return null;
    const rejection = await lockAndFindRejection(tx, asset, bytes);
    if (rejection) return rejection;
    await tx.db.asset.update({ where: { id: assetId }, data: { reservedBytes: BigInt(bytes) } });
    return null;
  });
}

/** Why a file does not fit into the quota of its team; null if it fits. Locks the storage of a team with a limit. */
async function lockAndFindRejection(
  tx: QuotaContext,
  { id, teamId }: { readonly id: string; readonly teamId: string },
  bytes: number,
): Promise<QuotaRejection | null> {
  const { storageBytes: limit } = await readQuotas(tx, teamId);
  if (limit === null) return null;
  await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended('storage ' || ${teamId}::text, 0))`;
  const usedBytes = await readTeamStorage(tx, teamId);
  const reservedBytes = await readReservedBytes(tx, teamId, id);
  return quotaRejection('storageBytes', {
    limit,
    used: usedBytes,
    reserved: reservedBytes,
    requested: bytes,
  });
}

/** Bytes that a team may store in addition to stored and reserved bytes; null for no limit. */
export async function readStorageRoom(ctx: QuotaContext, assetId: string): Promise<number | null> {
  const asset = await ctx.db.asset.findUnique({ where: { id: assetId }, select: { teamId: true } });
  if (!asset) return null;
  const { storageBytes: limit } = await readQuotas(ctx, asset.teamId);
  if (limit === null) return null;
  const usedBytes = await readTeamStorage(ctx, asset.teamId);
  return Math.max(0, limit - usedBytes - (await readReservedBytes(ctx, asset.teamId, assetId)));
}
