import type { SystemContext } from '@/lib/context';
import type { VideoSpec } from '@/lib/contract/media-spec';

export interface StoryboardOrder {
  readonly assetId: string;
  readonly videoKey: string;
  readonly spec: VideoSpec;
}

/** A process that took one and says nothing for so long has died: another one begins anew. */
const takenMs = 60_000;

/** The next ready asset whose timeline has no pictures yet; they are worth no wait of anybody. */
export async function takeStoryboardOrder(ctx: SystemContext): Promise<StoryboardOrder | null> {
  const now = ctx.clock.now();
  const due = { phase: 'ready', deletedAt: null, storyboardDueAt: { lte: now } } as const;
  const next = await ctx.db.asset.findFirst({
    where: due,
    orderBy: { storyboardDueAt: 'asc' },
    select: { id: true },
  });
  if (!next) return null;
  const [row] = await ctx.db.asset.updateManyAndReturn({
    where: { ...due, id: next.id },
    data: { storyboardDueAt: takenUntil(now) },
  });
  if (!row?.videoKey) return null;
  return { assetId: row.id, videoKey: row.videoKey, spec: row.videoSpec as VideoSpec };
}

/** They are still being made. */
export async function renewStoryboardOrder(ctx: SystemContext, assetId: string): Promise<void> {
  await ctx.db.asset.updateMany({
    where: { id: assetId, storyboardDueAt: { not: null } },
    data: { storyboardDueAt: takenUntil(ctx.clock.now()) },
  });
}

/** Whether pictures of an asset's timeline are still to be made, so what has been made of them is needed. */
export async function isStoryboardDue({ db }: SystemContext, assetId: string): Promise<boolean> {
  const due = { id: assetId, storyboardDueAt: { not: null }, bytesRemovedAt: null };
  return (await db.asset.count({ where: due })) > 0;
}

/** Counts once, also where two have made them. @param made false when they cannot be made: it is not tried again */
export async function endStoryboardOrder(
  ctx: SystemContext,
  { assetId, made, bytes }: { readonly assetId: string; readonly made: boolean; readonly bytes: number },
): Promise<void> {
  await ctx.db.asset.updateMany({
    where: { id: assetId, storyboardDueAt: { not: null } },
    data: { storyboardDueAt: null, hasStoryboard: made, storedBytes: { increment: bytes } },
  });
}

/** They were not made, and may be later. @param laterMs 0 when the process ends: another one goes on at once */
export async function returnStoryboardOrder(
  ctx: SystemContext,
  { assetId, laterMs }: { readonly assetId: string; readonly laterMs: number },
): Promise<void> {
  await ctx.db.asset.updateMany({
    where: { id: assetId, storyboardDueAt: { not: null } },
    data: { storyboardDueAt: new Date(ctx.clock.now().getTime() + laterMs) },
  });
}

const takenUntil = (now: Date): Date => new Date(now.getTime() + takenMs);
