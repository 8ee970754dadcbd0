import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { setDraining } from '@/lib/domain/nodes';
import { registerProcess } from './presence';

const dataDir = mkdtempSync(join(tmpdir(), 'headwater-presence-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const { ctx, db } = createLiveFixtures(await createTestDatabase(), {
  settings: { dataDir, region: 'eu-west' },
});
const neverAborted = new AbortController().signal;

test('a live node sends its state and that of its machine, receives the drain flag, and is unregistered when it closes', async () => {
  let streamCount = 1;
  const id = newId();
  const drainFlags: boolean[] = [];
  const live = {
    get streamCount() {
      return streamCount;
    },
    roomStreams: 7,
    fullReason: null,
    stopping: false,
    applyDrainFlag: (drainRequested: boolean) => void drainFlags.push(drainRequested),
  };
  const node = { id, role: 'live', url: 'http://127.0.0.1:1', live } as const;
  const presence = await registerProcess(ctx, node, neverAborted);
  const row = () => db.node.findUniqueOrThrow({ where: { id } });
  expect(await row()).toMatchObject({
    streamCount: 1,
    roomStreams: 7,
    region: 'eu-west',
    ingestUrl: ctx.settings.rtmpUrl,
  });
  streamCount = 2;
  await expect.poll(async () => (await row()).streamCount).toBe(2);
  const { cpuHeadroomRatio, diskFreeBytes } = await row();
  expect(cpuHeadroomRatio).toBeGreaterThanOrEqual(0);
  expect(cpuHeadroomRatio).toBeLessThanOrEqual(1);
  expect(Number(diskFreeBytes)).toBeGreaterThan(0);
  expect(new Set(drainFlags)).toEqual(new Set([false]));
  await setDraining(ctx, { nodeId: id }, true);
  await expect.poll(() => drainFlags.at(-1)).toBe(true);
  await setDraining(ctx, { nodeId: id }, false);
  await expect.poll(() => drainFlags.at(-1)).toBe(false);
  live.stopping = true;
  await presence.sendHeartbeat();
  expect(drainFlags.at(-1)).toBe(true);
  expect((await row()).drainingSince).not.toBeNull();
  await presence.close();
  expect(await db.node.findUnique({ where: { id } })).toBeNull();
});
