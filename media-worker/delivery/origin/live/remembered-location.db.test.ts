import { expect, test, vi } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { authorizePublish, locateLive } from '@/lib/domain/streams';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { createNodeFinder } from '@/media-worker/roles/origin-role';

const { ctx, createTeam, createStream, createNode } = createLiveFixtures(await createTestDatabase());

test('a location is read once, and again when the stream is published elsewhere', async () => {
  const teamId = await createTeam();
  const [deadNodeId, liveNodeId] = [await createNode({ silentMs: 60_000 }), await createNode()];
  const { id, playbackId } = await createStream(teamId, { liveNodeId: deadNodeId });
  const locate = vi.fn(async (playbackId: string) => (await locateLive(ctx, playbackId))?.url ?? null);
  const lifecycle = new Lifecycle(ctx.log);
  const clock = { ...systemClock, monotonic: () => now };
  let now = 0;
  const nodes = createNodeFinder({ ...ctx, clock }, lifecycle, locate);
  try {
    // Notifications are lost until the listener is connected, so the change is repeated.
    await expect
      .poll(async () => {
        now += 1_001;
        const before = locate.mock.calls.length;
        expect(await nodes.find(playbackId)).toContain(deadNodeId);
        return locate.mock.calls.length - before;
      })
      .toBe(0);
    locate.mockClear();
    for (let second = 0; second < 20; second += 1) {
      now += 1_000;
      await nodes.find(playbackId);
    }
    expect(locate).not.toHaveBeenCalled();
    expect(await authorizePublish(ctx, { streamId: id, nodeId: liveNodeId })).not.toBeNull();
    await expect.poll(() => nodes.find(playbackId)).toContain(liveNodeId);
    expect(locate).toHaveBeenCalledOnce();
  } finally {
    await lifecycle.close();
  }
});
