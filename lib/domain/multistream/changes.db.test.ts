import { afterAll, describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { listen } from '@/lib/infra/notifications';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { addTarget, createStream, removeTarget, updateStream } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createTarget } from './create-target';
import { deleteTarget } from './delete-target';
import { updateTarget } from './update-target';

/** Tests of the notification that tells the live role which streams have changed targets. */
const databaseUrl = await testDatabase();
const { ctx: system, createTeam } = createLiveFixtures(databaseUrl);
const ctx: TeamContext = { ...system, actor: { kind: 'cli', teamId: await createTeam() } };
const url = 'rtmp://live.example.com/app/key';

const receivedEvents: string[] = [];
let ready = () => {};
const listening = new Promise<void>((resolve) => (ready = resolve));
const listener = listen(
  databaseUrl,
  'stream_changed',
  (id) => {
    if (id === null) ready();
    else receivedEvents.push(id);
  },
  system.log,
);
afterAll(() => listener.close());
await listening;

async function notificationsOf(change: () => Promise<unknown>): Promise<string[]> {
  receivedEvents.length = 0;
  await change();
  await expect.poll(() => receivedEvents.length, { timeout: 100_000 }).toBeGreaterThan(0);
  return [...receivedEvents].sort();
}

const target = async () => (await createTarget(ctx, { url })).id;
const createStreamWithTargets = async (...ids: string[]) => {
  const targets = ids.map((id) => ({ id, profile: 'source' }));
  return (await createStream(ctx, { name: 'x', multistream: { targets } })).id;
};

describe('the notification stream_changed', () => {
  test('is sent when references are added, removed or replaced', async () => {
    const [first, second] = [await target(), await target()];
    const id = await createStreamWithTargets(first);
    const reference = { id: second, profile: 'source' };
    expect(await notificationsOf(() => addTarget(ctx, { id, reference }))).toEqual([id]);
    expect(await notificationsOf(() => removeTarget(ctx, { id, targetId: first }))).toEqual([id]);
    const change = { multistream: { targets: [reference] } };
    expect(await notificationsOf(() => updateStream(ctx, { id, change }))).toEqual([id]);
  });

  test('is sent once for every stream that refers to a changed or deleted target', async () => {
    const targetId = await target();
    const [first, second] = [
      await createStreamWithTargets(targetId),
      await createStreamWithTargets(targetId),
    ];
    await createStreamWithTargets(await target());
    const change = { id: targetId, change: { disabled: true } };
    expect(await notificationsOf(() => updateTarget(ctx, change))).toEqual([first, second].sort());
    expect(await notificationsOf(() => deleteTarget(ctx, targetId))).toEqual([first, second].sort());
  });
});

describe('a rejected change', () => {
  test('writes no audit entry', async () => {
    const targetId = await target();
    const lines = () => system.db.auditEntry.count();
    const before = await lines();
    await expect(deleteTarget(ctx, crypto.randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    const loop = { id: targetId, change: { url: system.settings.rtmpUrl } };
    await expect(updateTarget(ctx, loop)).rejects.toMatchObject({ code: 'invalid' });
    expect(await lines()).toBe(before);
  });
});
