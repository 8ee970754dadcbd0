import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/context';
import { announceNode, withdrawNode, type NodeIdentity } from '@/lib/nodes';
import { releaseNode } from '@/lib/streams';
import { every } from './every';
import { replacePredecessor } from './predecessor';

/** Five times within the 10 s after which a silent node counts as dead. */
const announceMs = 2_000;
const bootRetryMs = 500;

/**
 * Takes this process's place in the table of nodes: whatever its predecessor left running is idle first. Waits for the
 * database as long as it takes; `close` withdraws the node.
 */
export async function takePlace(
  ctx: SystemContext,
  node: NodeIdentity,
  signal: AbortSignal,
): Promise<{ close(): Promise<void> }> {
  const predecessor = await replacePredecessor(
    { dataDir: ctx.settings.dataDir, role: node.role, nodeId: node.id, url: node.url },
    ctx.log,
  );
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      if (predecessor) {
        const released = await releaseNode(ctx, predecessor);
        if (released > 0) ctx.log.warn({ released }, 'streams of the previous process are idle now');
        await withdrawNode(ctx, predecessor);
      }
      await announceNode(ctx, node);
      break;
    } catch (error) {
      if (attempt === 1) ctx.log.warn({ err: error }, 'waiting for the database');
      await delay(bootRetryMs);
    }
  }
  const announcing = every(announceMs, 'announce', ctx.log, () => announceNode(ctx, node));
  return {
    async close() {
      await announcing.close();
      await withdrawNode(ctx, node.id);
    },
  };
}
