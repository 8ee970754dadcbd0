import type { SystemContext } from '@/lib/context';

export interface TestPattern {
  readonly streamId: string;
  /** A secret: goes to the encoder and nowhere else. */
  readonly streamKey: string;
}

const most = 20;

/** Streams whose owner asked for the test card, as long as it was asked for; oldest request first. */
export async function listTestPatterns(ctx: SystemContext): Promise<TestPattern[]> {
  const streams = await ctx.db.stream.findMany({
    where: {
      testPatternUntil: { gt: ctx.clock.now() },
      parentId: null,
      deletedAt: null,
      suspended: false,
      account: { suspended: false },
      streamKeySealed: { not: null },
    },
    select: { id: true, userId: true, streamKeySealed: true },
    orderBy: { testPatternUntil: 'asc' },
    take: most,
  });
  return streams.flatMap(({ id, userId, streamKeySealed }) => {
    if (!streamKeySealed) return [];
    const streamKey = ctx.secrets.open({ kind: 'stream-key', id, userId }, streamKeySealed);
    return [{ streamId: id, streamKey }];
  });
}
