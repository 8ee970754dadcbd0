import type { SystemContext } from '@/lib/context';
import type { VideoSpec } from '@/lib/contract/media-spec';

export interface StoryboardOrder {
  readonly assetId: string;
  readonly videoKey: string;
  readonly spec: VideoSpec;
}

/** A process that is silent for this long has died: another one starts over. */
const takenMs = 60_000;

/** The next ready asset without a storyboard. Low priority: nothing waits for it. */
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

/** Whether an asset's storyboard is unfinished, so its intermediate files are needed. */
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

/** It was not made and may be later. @param laterMs 0 when the process ends: another one continues at once */
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
