import { afterAll, expect, test } from 'vitest';
import { explainStalls } from '@/lib/domain/audience';
import { recordHealth } from '@/lib/domain/streams';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { startRestrictedOrigin } from '@/media-worker/delivery/origin/testing/restricted-origin';
import { openStream } from '@/media-worker/live/session/testing/live-stream';
import { SteppedClock } from '@/media-worker/media/packaging/testing/packaging';
import {
  audioConfig,
  steadyFrames,
  videoConfig,
} from '@/media-worker/media/packaging/testing/synthetic-packets';

const { ctx, db, createOwner, createStreamWithPolicy, port, writeAudience } = await startRestrictedOrigin(
  await createTestDatabase(),
);
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const SESSION_MS = 240_000;
const SAMPLE_MS = 5_000;

/**
 * Writes a session that ends now, with a sample of its health every five seconds.
 * @param arrivalOf returns when the media of a time arrives, ms
 */
async function writeSession(streamId: string, arrivalOf: (mediaMs: number) => number): Promise<void> {
  const clock = new SteppedClock();
  const { session, connect, health } = openStream([], {
    clock,
    ids: { streamId, sessionId: newId() },
    writeHealth: (records) => recordHealth(ctx, records),
  });
  closing.push(() => session.close());
  const connection = connect();
  connection.publish([videoConfig(), audioConfig()]);
  let sampledAtMs = 0;
  for (const packet of steadyFrames({ untilMs: SESSION_MS })) {
    const arrivesAtMs = Math.max(clock.ms, arrivalOf(packet.dts));
    if (arrivesAtMs > SESSION_MS) break;
    for (; sampledAtMs + SAMPLE_MS <= arrivesAtMs; sampledAtMs += SAMPLE_MS) {
      clock.ms = sampledAtMs + SAMPLE_MS;
      health.sample();
    }
    clock.ms = arrivesAtMs;
    connection.publish([packet]);
  }
  await health.flush();
}

/** Records stalls of three viewers, which began a minute ago and end now. */
async function recordStalls(playbackId: string): Promise<void> {
  // States of CMCD (starting, playing, rebuffering) with their times in milliseconds.
  const states = [
    ['s', 1_000],
    ['p', 1_500],
    ['r', 11_500],
    ['p', 71_500],
  ] as const;
  // One request, so that all stalls are in one minute.
  const lines = ['a', 'b', 'c'].flatMap((sid) =>
    states.map(([state, timeMs], index) => `e=ps,sid="${sid}",sn=${index + 1},sta=${state},ts=${timeMs}`),
  );
  const address = `http://127.0.0.1:${port}/cmcd/${playbackId}`;
  const answer = await fetch(address, { method: 'POST', body: lines.join('\n') });
  expect(answer.status).toBe(204);
  await writeAudience();
}

/** Returns the arrival of media of which 1.9 s are held back every 20 s, and then arrive within one sample. */
const holdBack = (mediaMs: number) => {
  const releaseMs = Math.ceil((mediaMs + 2_000) / 20_000) * 20_000 - 2_000;
  return releaseMs - mediaMs < 1_900 ? releaseMs : mediaMs;
};

test.each([
  ['an encoder at an even pace', (mediaMs: number) => mediaMs + 300, 'unknown', 0],
  // Stalls of an even slower encoder have another cause.
  ['an encoder at 94 % of real time', (mediaMs: number) => mediaMs / 0.94, 'published_late', 2_500],
  ['an encoder that holds back 1.9 s every 20 s', holdBack, 'published_late', 1_000],
] as const)('stalls of viewers of %s get their cause', async (_, arrivalOf, cause, minLatenessMs) => {
  const owner = await createOwner();
  const { id, playbackId } = await createStreamWithPolicy(owner, null);
  await writeSession(id, arrivalOf);
  await recordStalls(playbackId);
  await explainStalls(ctx);
  const [stallMinute, ...otherMinutes] = await db.stallMinute.findMany({ where: { objectId: id } });
  expect(otherMinutes).toEqual([]);
  expect(stallMinute).toMatchObject({ cause, stalls: 3, stalledViews: 3 });
  expect(stallMinute?.measure ?? 0).toBeGreaterThanOrEqual(minLatenessMs);
});
