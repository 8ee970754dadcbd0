import { describe, expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import manifest from '@/package.json' with { type: 'json' };
import { countOtherIngests, setDraining } from './drain-nodes';
import { registerNode, expireNodes, unregisterNode } from './nodes';

const { ctx, db, createNode } = createLiveFixtures(await createTestDatabase());

test('a repeated heartbeat renews the row of a node', async () => {
  const node = { id: newId(), role: 'live', url: 'http://127.0.0.1:1', machineId: null } as const;
  await registerNode(ctx, node);
  await db.node.update({ where: { id: node.id }, data: { seenAt: new Date(0) } });
  await registerNode(ctx, { ...node, url: 'http://127.0.0.1:2' });
  const row = await db.node.findUniqueOrThrow({ where: { id: node.id } });
  expect(row).toMatchObject({ role: 'live', url: 'http://127.0.0.1:2' });
  expect(Date.now() - row.seenAt.getTime()).toBeLessThan(60_000);
});

test('each heartbeat stores the vitals of the node', async () => {
  const node = { id: newId(), role: 'live', url: 'http://127.0.0.1:1', machineId: null } as const;
  await registerNode(ctx, node);
  const readRow = () => db.node.findUniqueOrThrow({ where: { id: node.id } });
  expect(await readRow()).toMatchObject({ streamCount: null, cpuHeadroomRatio: null, diskFreeBytes: null });
  // Larger than a 32-bit integer.
  const diskFreeBytes = 20_000_000_000_000;
  await registerNode(ctx, node, { streamCount: 2, cpuHeadroomRatio: 0.5, diskFreeBytes });
  expect(await readRow()).toMatchObject({
    streamCount: 2,
    cpuHeadroomRatio: 0.5,
    diskFreeBytes: BigInt(diskFreeBytes),
    version: manifest.version,
    ingestUrl: ctx.settings.rtmpUrl,
  });
});

test('withdrawing a node twice causes no error', async () => {
  const id = await createNode();
  await unregisterNode(ctx, id);
  await unregisterNode(ctx, id);
  expect(await db.node.findUnique({ where: { id } })).toBeNull();
});

test('only nodes that were silent for too long are deleted', async () => {
  const [silentNode, aliveNode] = [
    await createNode({ silentMs: 31_000 }),
    await createNode({ silentMs: 29_000 }),
  ];
  expect(await expireNodes(ctx, 30_000)).toBe(1);
  expect(await db.node.findUnique({ where: { id: silentNode } })).toBeNull();
  expect(await db.node.findUnique({ where: { id: aliveNode } })).not.toBeNull();
});

describe('draining', () => {
  const machineId = newId();
  /** Sends the first heartbeat of a new node. By default, all nodes are on one machine. */
  const startNode = async (
    role: 'live' | 'jobs',
    { isStopping = false, onMachine = machineId }: { isStopping?: boolean; onMachine?: string } = {},
  ) => {
    const node = { id: newId(), role, url: 'http://127.0.0.1:1', machineId: onMachine } as const;
    const vitals = { streamCount: null, cpuHeadroomRatio: null, diskFreeBytes: null, stopping: isStopping };
    return {
      id: node.id,
      /** Sends another heartbeat and returns whether the node must drain. */
      sendHeartbeat: () => registerNode(ctx, node, vitals),
      isDraining: await registerNode(ctx, node, vitals),
    };
  };

  test('a node receives the start and end of draining with its next heartbeat', async () => {
    const node = await startNode('live', { onMachine: newId() });
    expect(node.isDraining).toBe(false);
    expect(await setDraining(ctx, { nodeId: node.id }, true)).toEqual([node.id]);
    const { drainingSince } = await db.node.findUniqueOrThrow({ where: { id: node.id } });
    expect(await node.sendHeartbeat()).toBe(true);
    await setDraining(ctx, { nodeId: node.id }, true);
    expect(await db.node.findUnique({ where: { id: node.id } })).toMatchObject({ drainingSince });
    await setDraining(ctx, { nodeId: node.id }, false);
    expect(await node.sendHeartbeat()).toBe(false);
  });

  test('a node that reports that it is stopping stays draining', async () => {
    const node = await startNode('live', { isStopping: true });
    expect(node.isDraining).toBe(true);
    await setDraining(ctx, { nodeId: node.id }, false);
    expect(await node.sendHeartbeat()).toBe(true);
  });

  test('affects all live nodes of a machine, and is rejected for other roles and unknown nodes', async () => {
    await db.node.deleteMany();
    const [firstLiveNode, secondLiveNode, jobsNode] = [
      await startNode('live'),
      await startNode('live'),
      await startNode('jobs'),
    ];
    expect((await setDraining(ctx, { machineId }, true)).sort()).toEqual(
      [firstLiveNode.id, secondLiveNode.id].sort(),
    );
    expect(await jobsNode.sendHeartbeat()).toBe(false);
    expect(await setDraining(ctx, { nodeId: firstLiveNode.id }, false)).toHaveLength(2);
    expect(await secondLiveNode.sendHeartbeat()).toBe(false);
    await expect(setDraining(ctx, { nodeId: jobsNode.id }, true)).rejects.toThrow('has the role jobs');
    await expect(setDraining(ctx, { nodeId: newId() }, true)).rejects.toThrow('no node with the id');
    await expect(setDraining(ctx, { machineId: newId() }, true)).rejects.toThrow('no live node');
  });

  test('live nodes of other machines are counted while they send heartbeats and do not drain', async () => {
    await db.node.deleteMany();
    const startOnOtherMachine = () => startNode('live', { onMachine: newId() });
    const [node, otherNode, drainingNode] = [
      await startNode('live'),
      await startOnOtherMachine(),
      await startOnOtherMachine(),
    ];
    await startNode('live');
    await startNode('jobs', { onMachine: newId() });
    // A live node counts as dead after 10 s without a heartbeat.
    await createNode({ silentMs: 11_000 });
    await setDraining(ctx, { nodeId: drainingNode.id }, true);
    expect(await countOtherIngests(ctx, node.id)).toBe(1);
    await unregisterNode(ctx, otherNode.id);
    expect(await countOtherIngests(ctx, node.id)).toBe(0);
  });
});
