import { afterAll, describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { listen } from '@/lib/infra/notifications';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { addTarget, createStream, removeTarget, updateStream } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { createTarget } from './create-target';
import { deleteTarget } from './delete-target';
import { updateTarget } from './update-target';

// The live role listens to the notification `stream_changed`, and then reads the targets of that stream again.
const databaseUrl = await createTestDatabase();
const { ctx: system, createTeam } = createLiveFixtures(databaseUrl);
const ctx: TeamContext = { ...system, actor: { kind: 'cli', teamId: await createTeam() } };
const url = 'rtmp://live.example.com/app/key';

const notifiedStreamIds: string[] = [];
let ready = () => {};
const listening = new Promise<void>((resolve) => (ready = resolve));
const listener = listen(
  databaseUrl,
  'stream_changed',
  (id) => {
    // Null means that the listener is connected.
    if (id === null) ready();
    else notifiedStreamIds.push(id);
  },
  system.log,
);
afterAll(() => listener.close());
await listening;

/** Makes a change and waits for its notifications: the sorted ids of the streams. */
async function notificationsOf(change: () => Promise<unknown>): Promise<string[]> {
  notifiedStreamIds.length = 0;
  await change();
  await expect.poll(() => notifiedStreamIds.length, { timeout: 100_000 }).toBeGreaterThan(0);
  return [...notifiedStreamIds].sort();
}

const createTargetId = async () => (await createTarget(ctx, { url })).id;
const createStreamWithTargets = async (...ids: string[]) => {
  const targets = ids.map((id) => ({ id, profile: 'source' }));
  return (await createStream(ctx, { name: 'x', multistream: { targets } })).id;
};

describe('the notification stream_changed', () => {
  test('is sent when references are added, removed or replaced', async () => {
    const [firstTargetId, secondTargetId] = [await createTargetId(), await createTargetId()];
    const id = await createStreamWithTargets(firstTargetId);
    const reference = { id: secondTargetId, profile: 'source' };
    expect(await notificationsOf(() => addTarget(ctx, { id, reference }))).toEqual([id]);
    expect(await notificationsOf(() => removeTarget(ctx, { id, targetId: firstTargetId }))).toEqual([id]);
    const change = { multistream: { targets: [reference] } };
    expect(await notificationsOf(() => updateStream(ctx, { id, change }))).toEqual([id]);
  });

  test('is sent once for every stream that refers to a changed or deleted target', async () => {
    const targetId = await createTargetId();
    const streamIds = [
      await createStreamWithTargets(targetId),
      await createStreamWithTargets(targetId),
    ].sort();
    await createStreamWithTargets(await createTargetId());
    const change = { id: targetId, change: { disabled: true } };
    expect(await notificationsOf(() => updateTarget(ctx, change))).toEqual(streamIds);
    expect(await notificationsOf(() => deleteTarget(ctx, targetId))).toEqual(streamIds);
  });
});

describe('a rejected change', () => {
  test('writes no audit entry', async () => {
    const targetId = await createTargetId();
    const countAuditEntries = () => system.db.auditEntry.count();
    const countBefore = await countAuditEntries();
    await expect(deleteTarget(ctx, crypto.randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    // A stream must not be sent to the ingest of this service.
    const ownIngest = { id: targetId, change: { url: system.settings.rtmpUrl } };
    await expect(updateTarget(ctx, ownIngest)).rejects.toMatchObject({ code: 'invalid' });
    expect(await countAuditEntries()).toBe(countBefore);
  });
});
