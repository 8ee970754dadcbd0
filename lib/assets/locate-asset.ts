import type { SystemContext } from '@/lib/context';

export interface LocatedAsset {
  readonly assetId: string;
  readonly name: string;
  /** Key of what is downloaded, and of the file as it was given. */
  readonly videoKey: string;
  readonly sourceKey: string;
}

/** Where the files of a ready asset are; null for any other playback id. */
export async function locateAsset(ctx: SystemContext, playbackId: string): Promise<LocatedAsset | null> {
  const row = await ctx.db.asset.findFirst({
    where: { playbackId, phase: 'ready', deletedAt: null, account: { suspended: false } },
    select: { id: true, name: true, videoKey: true, sourceKey: true },
  });
  if (!row?.videoKey || !row.sourceKey) return null;
  return { assetId: row.id, name: row.name, videoKey: row.videoKey, sourceKey: row.sourceKey };
}
