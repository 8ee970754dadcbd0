import type { SystemContext } from '@/lib/context';

/**
 * Says on the stream what is wrong with what its encoder sends; an empty list says that all is well.
 * A later run has its own say: then nothing changes.
 */
export async function reportIssues(
  ctx: SystemContext,
  { streamId, run, issues }: { streamId: string; run: number; issues: readonly string[] },
): Promise<void> {
  await ctx.db.stream.updateMany({
    where: { id: streamId, runs: run },
    data: { isHealthy: issues.length === 0, issues: [...issues] },
  });
}
