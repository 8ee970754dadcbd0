import type { SystemContext } from '@/lib/domain/context';

/** The machine that keeps the bytes of an upload in parts; null when none has begun. */
export async function findUploadMachine(ctx: SystemContext, assetId: string): Promise<string | null> {
  const row = await ctx.db.asset.findFirst({
    where: { id: assetId, deletedAt: null },
    select: { uploadMachineId: true },
  });
  return row?.uploadMachineId ?? null;
}

/**
 * The bytes will be on `machineId`.
 * @param instead the machine that had them and is gone, or null
 * @returns false if another machine was faster
 */
export async function claimUpload(
  ctx: SystemContext,
  { assetId, machineId, instead }: { assetId: string; machineId: string; instead: string | null },
): Promise<boolean> {
  const { count } = await ctx.db.asset.updateMany({
    where: { id: assetId, uploadMachineId: instead },
    data: { uploadMachineId: machineId },
  });
  return count > 0;
}
