import type { SystemContext } from '@/lib/context';
import { removeStaleNodes } from '@/lib/nodes';
import { endExpiredSessions } from '@/lib/sessions';
import { releaseDeadNodes } from '@/lib/streams';

/** Nodes are judged only after the database has answered for so long: a node needs it to say that it is alive. */
const steadyMs = 12_000;
/** A turn slower than this means that the database was away. */
const slowMs = 3_000;
const staleMs = 30_000;

/** Finishes what a dead process left behind: its streams become idle, its sessions end when their window is over. */
export function createSweep(ctx: SystemContext): () => Promise<void> {
  let steadySince: number | null = null;
  return async () => {
    const begin = ctx.clock.monotonic();
    try {
      await endExpiredSessions(ctx);
      steadySince ??= begin;
      if (begin - steadySince >= steadyMs) {
        const released = await releaseDeadNodes(ctx);
        if (released > 0) ctx.log.warn({ released }, 'streams of dead nodes are idle now');
        await removeStaleNodes(ctx, staleMs);
      }
      if (ctx.clock.monotonic() - begin > slowMs) steadySince = null;
    } catch (error) {
      steadySince = null;
      throw error;
    }
  };
}
