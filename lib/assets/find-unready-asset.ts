import type { Context } from '@/lib/context';
import { isReadyAsset } from '@/lib/core/asset-state';

/** How far an asset is that cannot be played yet. */
export interface UnreadyAsset {
  readonly name: string;
  readonly failed: boolean;
  /** 0 to 1; null before the work has started. */
  readonly progress: number | null;
}

/** What viewers see of an asset that is not ready; null if no asset has this playback id, or it is ready. */
export async function findUnreadyAsset(ctx: Context, playbackId: string): Promise<UnreadyAsset | null> {
  if (!/^[a-z0-9]{16}$/.test(playbackId)) return null;
  const asset = await ctx.db.asset.findFirst({
    where: { playbackId, deletedAt: null, account: { suspended: false } },
    select: { name: true, phase: true, progress: true },
  });
  if (!asset || isReadyAsset(asset.phase)) return null;
  return {
    name: asset.name,
    failed: asset.phase === 'failed',
    progress: asset.phase === 'processing' ? asset.progress : null,
  };
}
