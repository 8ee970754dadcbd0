import { filesIdOf, havingFiles } from '@/lib/domain/assets/internal';
import type { SystemContext } from '@/lib/domain/context';
import type { VideoSpec } from '@/lib/contract/assets/media-spec';
import { Prisma } from '@/lib/generated/prisma/client';

export interface DueStoryboard {
  readonly assetId: string;
  /** Folder of the asset's files. */
  readonly filesId: string;
  /** Storage key of the MP4. */
  readonly videoKey: string;
  readonly spec: VideoSpec;
}

export interface PlannedStoryboard {
  readonly assetId: string;
  readonly delayMs: number;
}

const MAX_ROWS = 1_000;

/** Lists the assets among `ids` that need a storyboard, each with the time until it is due. */
export async function planStoryboards(
  ctx: SystemContext,
  ids: readonly string[],
): Promise<PlannedStoryboard[]> {
  return queryPlannedStoryboards(ctx, Prisma.sql`"id" = any(${ids}::uuid[])`);
}

/** Lists the due storyboards, up to 1,000. Each needs a job. */
export async function listDueStoryboards(ctx: SystemContext): Promise<PlannedStoryboard[]> {
  return queryPlannedStoryboards(ctx, Prisma.sql`"storyboardDueAt" <= ${ctx.clock.now()}`);
}

/** The due storyboard of an asset; null if none is due. */
export async function readDueStoryboard(ctx: SystemContext, assetId: string): Promise<DueStoryboard | null> {
  const row = await ctx.db.asset.findFirst({
    where: { id: assetId, phase: 'ready', deletedAt: null, storyboardDueAt: { lte: ctx.clock.now() } },
  });
  if (!row?.videoKey) return null;
  return { assetId, filesId: filesIdOf(row), videoKey: row.videoKey, spec: row.videoSpec as VideoSpec };
}

/** Whether the storyboard of a folder is unfinished, so that its intermediate files are needed. */
export async function isStoryboardDue({ db }: SystemContext, filesId: string): Promise<boolean> {
  const dueAssets = { ...havingFiles(filesId), storyboardDueAt: { not: null }, bytesRemovedAt: null };
  return (await db.asset.count({ where: dueAssets })) > 0;
}

/**
 * Completes a storyboard. Counts the bytes once, even if two workers made it.
 * @param hasStoryboard false if it cannot be made and must not be retried
 */
export async function completeStoryboard(
  ctx: SystemContext,
  {
    filesId,
    hasStoryboard,
    bytes,
  }: { readonly filesId: string; readonly hasStoryboard: boolean; readonly bytes: number },
): Promise<void> {
  await ctx.db.asset.updateMany({
    where: { ...havingFiles(filesId), storyboardDueAt: { not: null } },
    data: { storyboardDueAt: null, hasStoryboard, storedBytes: { increment: bytes } },
  });
}

/** Schedules a retry of the storyboard after `delayMs`. */
export async function postponeStoryboard(
  ctx: SystemContext,
  { filesId, delayMs }: { readonly filesId: string; readonly delayMs: number },
): Promise<void> {
  await ctx.db.asset.updateMany({
    where: { ...havingFiles(filesId), storyboardDueAt: { not: null } },
    data: { storyboardDueAt: new Date(ctx.clock.now().getTime() + delayMs) },
  });
}

async function queryPlannedStoryboards(ctx: SystemContext, where: Prisma.Sql): Promise<PlannedStoryboard[]> {
  const now = ctx.clock.now();
  return ctx.db.$queryRaw<PlannedStoryboard[]>`
    select "id" as "assetId",
      greatest(0, ceil(extract(epoch from "storyboardDueAt" - ${now}::timestamptz) * 1000))::float8 as "delayMs"
    from "Asset"
    where "phase" = 'ready' and "deletedAt" is null and "storyboardDueAt" is not null and ${where}
    order by "storyboardDueAt" limit ${MAX_ROWS}`;
}
