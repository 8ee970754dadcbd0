import type { SystemContext } from '@/lib/context';

/** The size of an upload that was received and accepted; null for any other. */
export async function findReceivedUpload(
  ctx: SystemContext,
  assetId: string,
): Promise<{ bytes: number } | null> {
  const row = await ctx.db.asset.findFirst({
    where: {
      id: assetId,
      deletedAt: null,
      sourceType: 'directUpload',
      phase: { in: ['processing', 'ready'] },
    },
    select: { size: true },
  });
  return row && row.size !== null ? { bytes: Number(row.size) } : null;
}
