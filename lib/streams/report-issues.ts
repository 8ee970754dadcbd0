import type { SystemContext } from '@/lib/context';
import { healthyWith } from '@/lib/core/stream-issues';

/**
 * Says on the stream what is wrong with what its encoder sends; an empty list, or one of hints alone, says that all is well.
 * A later run has its own say: then nothing changes.
 */
export async function reportIssues(
  ctx: SystemContext,
  { streamId, run, issues }: { streamId: string; run: number; issues: readonly string[] },
): Promise<void> {
  await ctx.db.stream.updateMany({
    where: { id: streamId, runs: run },
    data: { isHealthy: healthyWith(issues), issues: [...issues] },
  });
}
