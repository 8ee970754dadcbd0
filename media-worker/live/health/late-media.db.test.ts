import { afterAll, expect, test } from 'vitest';
import { explainStalls } from '@/lib/domain/audience';
import { recordHealth } from '@/lib/domain/streams';
import { newId } from '@/lib/infra/ids';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { gatedOrigin } from '@/media-worker/delivery/origin/testing/gated-origin';
import { openStream } from '@/media-worker/live/session/testing/live-stream';
import { SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';

const { ctx, db, owner, gated, port, writeAudience } = await gatedOrigin(await testDatabase());
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const broadcastMs = 240_000;
const sampleMs = 5_000;

/**
 * A broadcast that ends now, with a sample of its health every five seconds.
 * @param arrival when media of this time arrives, in milliseconds
 */
async function broadcast(streamId: string, arrival: (mediaMs: number) => number): Promise<void> {
  const clock = new SteppedClock();
  const { session, connect, health } = openStream([], {
    clock,
    ids: { streamId, sessionId: newId() },
    writeHealth: (records) => recordHealth(ctx, records),
  });
  closing.push(() => session.close());
  const connection = connect();
  connection.send([videoConfig(), audioConfig()]);
  let sampledAt = 0;
  for (const packet of steadyFrames({ untilMs: broadcastMs })) {
    const at = Math.max(clock.ms, arrival(packet.dts));
    if (at > broadcastMs) break;
    for (; sampledAt + sampleMs <= at; sampledAt += sampleMs) {
      clock.ms = sampledAt + sampleMs;
      health.sample();
    }
    clock.ms = at;
    connection.send([packet]);
  }
  await health.flush();
}

/** Stalls of three viewers, which began a minute ago and end now. */
async function stall(playbackId: string): Promise<void> {
  const states = [
    ['s', 1_000],
    ['p', 1_500],
    ['r', 11_500],
    ['p', 71_500],
  ] as const;
  // One request, so that all stalls are in one minute.
  const lines = ['a', 'b', 'c'].flatMap((sid) =>
    states.map(([state, at], index) => `e=ps,sid="${sid}",sn=${index + 1},sta=${state},ts=${at}`),
  );
  const address = `http://127.0.0.1:${port}/cmcd/${playbackId}`;
  const answer = await fetch(address, { method: 'POST', body: lines.join('\n') });
  expect(answer.status).toBe(204);
  await writeAudience();
}

/** Every 20 s, 1.9 s of media arrive at their end, within one sample. */
const heldBack = (mediaMs: number) => {
  const end = Math.ceil((mediaMs + 2_000) / 20_000) * 20_000 - 2_000;
  return end - mediaMs < 1_900 ? end : mediaMs;
};

test.each([
  ['an encoder at an even pace', (mediaMs: number) => mediaMs + 300, 'unknown', 0],
  // Slower encoders have a cause of their own.
  ['an encoder at 94 % of real time', (mediaMs: number) => mediaMs / 0.94, 'published_late', 2_500],
  ['an encoder that holds back 1.9 s every 20 s', heldBack, 'published_late', 1_000],
] as const)('viewers of %s', async (_, arrival, cause, minMs) => {
  const ada = await owner();
  const { id, playbackId } = await gated(ada, null);
  await broadcast(id, arrival);
  await stall(playbackId);
  await explainStalls(ctx);
  const [minute, ...more] = await db.stallMinute.findMany({ where: { objectId: id } });
  expect(more).toEqual([]);
  expect(minute).toMatchObject({ cause, stalls: 3, stalledViews: 3 });
  expect(minute?.measure ?? 0).toBeGreaterThanOrEqual(minMs);
});
