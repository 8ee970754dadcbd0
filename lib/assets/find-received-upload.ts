import type { SystemContext } from '@/lib/context';

/** The size of an upload that was received and accepted, whatever became of its processing; null for any other. */
export async function findReceivedUpload(
  ctx: SystemContext,
  assetId: string,
): Promise<{ bytes: number } | null> {
  const row = await ctx.db.asset.findFirst({
    where: {
      id: assetId,
      deletedAt: null,
      sourceType: 'directUpload',
      phase: { in: ['processing', 'ready', 'failed'] },
      sourceKey: { not: null },
    },
    select: { size: true },
  });
  return row && row.size !== null ? { bytes: Number(row.size) } : null;
}
