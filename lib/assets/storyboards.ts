import type { SystemContext } from '@/lib/context';
import type { VideoSpec } from '@/lib/contract/media-spec';

export interface StoryboardOrder {
  readonly assetId: string;
  readonly videoKey: string;
  readonly spec: VideoSpec;
}

/** A process that took one and died leaves it for another after so long. */
const takenMs = 30 * 60_000;

/** The next ready asset whose timeline has no pictures yet; they are worth no wait of anybody. */
export async function takeStoryboardOrder(ctx: SystemContext): Promise<StoryboardOrder | null> {
  const now = ctx.clock.now();
  const due = { phase: 'ready', deletedAt: null, storyboardDueAt: { lte: now } };
  const next = await ctx.db.asset.findFirst({
    where: due,
    orderBy: { storyboardDueAt: 'asc' },
    select: { id: true },
  });
  if (!next) return null;
  const [row] = await ctx.db.asset.updateManyAndReturn({
    where: { ...due, id: next.id },
    data: { storyboardDueAt: new Date(now.getTime() + takenMs) },
  });
  if (!row?.videoKey) return null;
  return { assetId: row.id, videoKey: row.videoKey, spec: row.videoSpec as VideoSpec };
}

/** @param made false when they cannot be made: it is not tried again */
export async function endStoryboardOrder(
  ctx: SystemContext,
  { assetId, made, bytes }: { readonly assetId: string; readonly made: boolean; readonly bytes: number },
): Promise<void> {
  await ctx.db.asset.updateMany({
    where: { id: assetId },
    data: { storyboardDueAt: null, hasStoryboard: made, storedBytes: { increment: bytes } },
  });
}

/** The process ends: another one goes on at once. */
export async function returnStoryboardOrder(ctx: SystemContext, assetId: string): Promise<void> {
  await ctx.db.asset.updateMany({ where: { id: assetId }, data: { storyboardDueAt: ctx.clock.now() } });
}
