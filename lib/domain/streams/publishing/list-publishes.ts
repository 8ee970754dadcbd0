import type { SystemContext } from '@/lib/domain/context';
import type { PublishFacts } from '@/lib/core/streams/publish-admission';
import type { Stream } from '@/lib/generated/prisma/client';

/** A requested test pattern, which the service publishes with the key of the stream. */
export interface TestPattern {
  readonly streamId: string;
  /** Secret key with which the test pattern is published. */
  readonly streamKey: string;
  /** Playback id of the preview; null if viewers see the test pattern. */
  readonly previewPlaybackId: string | null;
}

const MAX_TEST_PATTERNS = 20;

/** Test patterns that are requested and have not expired, up to 20, oldest request first. */
export async function listTestPatterns(ctx: SystemContext): Promise<TestPattern[]> {
  const streams = await ctx.db.stream.findMany({
    where: testPatternFilter(ctx),
    select: testPatternColumns,
    orderBy: { testPatternUntil: 'asc' },
    take: MAX_TEST_PATTERNS,
  });
  return streams.flatMap((stream) => testPatternOf(ctx, stream) ?? []);
}

/** The test pattern of a stream; null if none is requested. */
export async function readTestPattern(ctx: SystemContext, streamId: string): Promise<TestPattern | null> {
  const stream = await ctx.db.stream.findFirst({
    where: { id: streamId, ...testPatternFilter(ctx) },
    select: testPatternColumns,
  });
  return stream && testPatternOf(ctx, stream);
}

const testPatternColumns = {
  id: true,
  teamId: true,
  streamKeySealed: true,
  previewPlaybackId: true,
} as const;

const testPatternFilter = (ctx: SystemContext) =>
  ({
    testPatternUntil: { gt: ctx.clock.now() },
    parentId: null,
    deletedAt: null,
    suspended: false,
    team: { suspended: false },
    streamKeySealed: { not: null },
  }) as const;

function testPatternOf(
  ctx: SystemContext,
  { id, teamId, streamKeySealed, previewPlaybackId }: Pick<Stream, keyof typeof testPatternColumns>,
): TestPattern | null {
  if (!streamKeySealed) return null;
  const streamKey = ctx.secrets.open({ kind: 'stream-key', id, teamId }, streamKeySealed);
  return { streamId: id, streamKey, previewPlaybackId };
}

/** The row of a stream that a live node holds, or assumes to hold. */
export interface PublishRow extends PublishFacts {
  readonly id: string;
  /** Number of the last publish. */
  readonly runs: number;
  readonly settingsVersion: number;
  readonly liveNodeId: string | null;
  readonly lastTerminatedAt: Date | null;
  readonly keyRotatedAt: Date | null;
  /** Requested input, and the time of the request. */
  readonly switchTo: string | null;
  readonly switchAskedAt: Date | null;
}

/** The streams that this node holds according to the database, and the streams in `heldIds`. */
export async function readPublishes(
  ctx: SystemContext,
  { nodeId, heldIds }: { nodeId: string; heldIds: readonly string[] },
): Promise<PublishRow[]> {
  const rows = await ctx.db.stream.findMany({
    where: { OR: [{ liveNodeId: nodeId }, { id: { in: [...heldIds] } }] },
    select: {
      id: true,
      runs: true,
      settingsVersion: true,
      liveNodeId: true,
      parentId: true,
      deletedAt: true,
      suspended: true,
      lastTerminatedAt: true,
      keyRotatedAt: true,
      switchTo: true,
      switchAskedAt: true,
      team: { select: { suspended: true } },
    },
  });
  return rows.map(({ team, ...row }) => ({ ...row, teamSuspended: team.suspended }));
}
