import { expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { liveFixtures } from '@/lib/testing/live-fixtures';
import { announceNode, removeStaleNodes, withdrawNode } from './nodes';

const { ctx, db, node } = liveFixtures(await testDatabase());

test('a node announces itself once and again', async () => {
  const me = { id: newId(), role: 'live', url: 'http://127.0.0.1:1', machineId: null } as const;
  await announceNode(ctx, me);
  await db.node.update({ where: { id: me.id }, data: { seenAt: new Date(0) } });
  await announceNode(ctx, { ...me, url: 'http://127.0.0.1:2' });
  const row = await db.node.findUniqueOrThrow({ where: { id: me.id } });
  expect(row).toMatchObject({ role: 'live', url: 'http://127.0.0.1:2' });
  expect(Date.now() - row.seenAt.getTime()).toBeLessThan(5_000);
});

test('a node withdraws; doing it twice is no error', async () => {
  const id = await node();
  await withdrawNode(ctx, id);
  await withdrawNode(ctx, id);
  expect(await db.node.findUnique({ where: { id } })).toBeNull();
});

test('only nodes that were silent for too long are removed', async () => {
  const [stale, fresh] = [await node({ silentMs: 31_000 }), await node({ silentMs: 29_000 })];
  expect(await removeStaleNodes(ctx, 30_000)).toBe(1);
  expect(await db.node.findUnique({ where: { id: stale } })).toBeNull();
  expect(await db.node.findUnique({ where: { id: fresh } })).not.toBeNull();
});
