import type { SystemContext } from '@/lib/domain/context';

/** Id of the machine that stores the parts of an upload; null before the first part. */
export async function findUploadMachine(ctx: SystemContext, assetId: string): Promise<string | null> {
  const row = await ctx.db.asset.findFirst({
    where: { id: assetId, deletedAt: null },
    select: { uploadMachineId: true },
  });
  return row?.uploadMachineId ?? null;
}

/**
 * Assigns the parts of an upload to `machineId`.
 * @param previousMachineId id of the machine that had the parts before and is gone; null without one
 * @returns false if another machine was assigned meanwhile
 */
export async function claimUpload(
  ctx: SystemContext,
  {
    assetId,
    machineId,
    previousMachineId,
  }: {
    readonly assetId: string;
    readonly machineId: string;
    readonly previousMachineId: string | null;
  },
): Promise<boolean> {
  const { count } = await ctx.db.asset.updateMany({
    where: { id: assetId, uploadMachineId: previousMachineId },
    data: { uploadMachineId: machineId },
  });
  return count > 0;
}
