import { recordAudit } from '@/lib/domain/audit';
import { transact, type Context } from '@/lib/domain/context';
import { AppError, notFound } from '@/lib/core/errors';
import { deadAfterMs } from '@/lib/core/nodes/node-state';

/**
 * Selects all live nodes of a machine, by the machine or by one of its nodes. The nodes of a machine share a port, so a
 * single node cannot drain.
 */
type NodeFilter = { readonly nodeId: string } | { readonly machineId: string };

/**
 * Takes live nodes out of service, or back in. Nodes receive the change with their next heartbeat.
 * @returns their ids
 * @throws AppError `not_found`, `invalid` for a node with another role
 */
export async function setDraining(
  ctx: Context,
  nodeFilter: NodeFilter,
  draining: boolean,
): Promise<string[]> {
  const [nodeId, machineId] =
    'nodeId' in nodeFilter ? [nodeFilter.nodeId, null] : [null, nodeFilter.machineId];
  const nodes = await transact(ctx, async (tx) => {
    const changedNodes = await tx.db.$queryRaw<{ id: string }[]>`
      update "Node" set "drainingSince" = case when ${draining} then coalesce("drainingSince", now()) end
      where "role" = 'live' and ("id" = ${nodeId}::uuid or "machineId" = ${machineId}::uuid
        or "machineId" = (select "machineId" from "Node" where "id" = ${nodeId}::uuid and "role" = 'live'))
      returning "id"`;
    const action = draining ? 'node.drained' : 'node.undrained';
    for (const { id } of changedNodes) await recordAudit(tx, { action, objectId: id });
    return changedNodes;
  });
  if (nodes.length > 0) return nodes.map(({ id }) => id);
  if (nodeId === null) throw notFound('no live node of this machine is known');
  const otherNode = await ctx.db.node.findUnique({ where: { id: nodeId }, select: { role: true } });
  if (!otherNode) throw notFound(`no node with the id ${nodeId}`);
  throw new AppError('invalid', `only live nodes can be drained: ${nodeId} has the role ${otherNode.role}`);
}

/** Whether the live nodes of this machine are draining. */
export async function isDraining(ctx: Context, machineId: string): Promise<boolean> {
  const where = { role: 'live' as const, machineId, drainingSince: { not: null } };
  return (await ctx.db.node.count({ where })) > 0;
}

/** Number of live nodes on other machines that accept publishes. */
export async function countOtherIngests(ctx: Context, nodeId: string): Promise<number> {
  const [row] = await ctx.db.$queryRaw<{ count: number }[]>`
    select count(*)::int as "count" from "Node"
    where "role" = 'live' and "drainingSince" is null and "id" <> ${nodeId}::uuid
      and "machineId" is distinct from (select coalesce("machineId", "id") from "Node" where "id" = ${nodeId}::uuid)
      and "seenAt" > now() - ${deadAfterMs.live}::float8 * interval '1 millisecond'`;
  return row?.count ?? 0;
}
