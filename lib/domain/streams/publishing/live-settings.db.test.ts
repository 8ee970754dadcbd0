import { expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createTarget, updateTarget } from '@/lib/domain/multistream';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { authorizePublish } from './authorize-publish';
import { readLiveSettings } from './live-settings';
import { addTarget, removeTarget } from '@/lib/domain/streams/targets/stream-targets';
import { setRecord, updateStream } from '@/lib/domain/streams/update-stream';

const { ctx: system, createTeam, createStream, createNode } = createLiveFixtures(await createTestDatabase());
const ctx: TeamContext = { ...system, actor: { kind: 'cli', teamId: await createTeam() } };

const profile = { name: '240p', width: 426, height: 240, bitrate: 250_000, fps: 0 };

test('a running publish sees each change of renditions, targets and `record` as a new version', async () => {
  const [{ id }, nodeId] = [await createStream(ctx.actor.teamId), await createNode()];
  const publish = await authorizePublish(system, { streamId: id, nodeId });
  if (!publish) throw new Error('not authorized');
  expect(publish.settings).toMatchObject({ profiles: [], record: false });
  const { id: targetId } = await createTarget(ctx, { url: 'rtmp://live.example.com/app/key' });
  const reference = { id: targetId, profile: 'source', videoOnly: true };

  const changes: [() => Promise<unknown>, object][] = [
    [() => updateStream(ctx, { id, change: { profiles: [profile] } }), { profiles: [profile] }],
    [() => addTarget(ctx, { id, reference }), {}],
    [() => updateTarget(ctx, { id: targetId, change: { disabled: true } }), {}],
    [() => removeTarget(ctx, { id, targetId }), {}],
    [
      () => addTarget(ctx, { id, reference: { ...reference, profile: profile.name } }),
      { targetProfiles: [profile.name] },
    ],
    // A change of `record` affects the next session only.
    [() => setRecord(ctx, { id, record: true }), { record: false }],
  ];
  let { version } = publish.settings;
  for (const [change, expected] of changes) {
    await change();
    const settings = await readLiveSettings(system, publish);
    expect(settings).toMatchObject(expected);
    expect(settings.version).toBeGreaterThan(version);
    version = settings.version;
  }
});
