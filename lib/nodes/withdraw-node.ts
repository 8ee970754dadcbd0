import type { SystemContext } from '@/lib/context';

/** "I am leaving", or "my predecessor is gone". Streams that still name the node lose their owner and are swept. */
export async function withdrawNode(ctx: SystemContext, nodeId: string): Promise<void> {
  await ctx.db.node.deleteMany({ where: { id: nodeId } });
}
