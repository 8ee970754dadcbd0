import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { RtmpClient } from '@/media-worker/ingest/rtmp/testing/rtmp-client';
import { openBroadcast } from './testing/lossy-broadcast';
import { frameIntervalsOf } from './testing/open-program';

const fixtures = createLiveFixtures(await createTestDatabase());
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Expects one connection with increasing timestamps, and no gap longer than a second. */
function expectUnbroken({
  publishes,
}: {
  readonly publishes: readonly { readonly sink: { packets: MediaPacket[] } }[];
}) {
  expect(publishes).toHaveLength(1);
  const packets = publishes[0]?.sink.packets ?? [];
  for (const kind of ['video', 'audio'] as const) {
    const steps = frameIntervalsOf(packets, kind);
    expect(steps.length).toBeGreaterThan(100);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...steps)).toBeLessThanOrEqual(1_000);
  }
}

test('twenty encoders that are killed in a row make one session with one recording and one connection to the target', async () => {
  const broadcast = await openBroadcast(fixtures, { slate: true }, closing);
  const { encode, kill, untilOnAir, untilSegments, sink, session, folder } = broadcast;
  for (let round = 0; round < 20; round++) {
    const encoder = encode();
    await untilOnAir('primary');
    await untilSegments(round === 0 ? 3 : 1);
    if (round === 0) await broadcast.untilReady();
    await kill(encoder);
    await untilOnAir('slate');
    expect(session()?.isActive).toBe(true);
    if (round % 5 === 0) await untilSegments(1);
  }
  const segments = session()?.renditions.source.window.view().segments ?? [];
  expect(segments.map(({ msn }) => msn - (segments[0]?.msn ?? 0))).toEqual(segments.map((_, index) => index));
  const lastEncoder = encode();
  await untilOnAir('primary');
  await untilSegments(1);
  broadcast.unpublish(lastEncoder);
  await expect.poll(() => sink.publishes[0]?.sink.ends, broadcast.longTimeout).toEqual(['finished']);
  expectUnbroken(sink);
  expect(await broadcast.sessionsOf()).toHaveLength(1);
  await expect.poll(() => broadcast.names(), broadcast.longTimeout).toContain('recording.waiting');
  const names = await broadcast.names();
  expect(names.filter((name) => name === 'stream.started' || name === 'stream.idle')).toHaveLength(2);
  expect(names.filter((name) => name === 'stream.slate_started')).toHaveLength(20);
  expect(names.filter((name) => name === 'stream.slate_ended')).toHaveLength(20);
  // The spool has one folder for each session.
  const initFiles = (await readdir(join(folder, 'spool'), { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.name.startsWith('init-'),
  );
  expect(new Set(initFiles.map(({ parentPath }) => parentPath)).size).toBeLessThanOrEqual(2);
});

test('a standby encoder takes over from a killed primary, which returns on a manual switch', async () => {
  const broadcast = await openBroadcast(fixtures, { backup: true }, closing);
  const { encode, kill, untilOnAir, untilSegments, sink, row, db } = broadcast;
  const primary = encode();
  await untilOnAir('primary');
  await untilSegments(3);
  await expect.poll(() => sink.publishes.length, broadcast.longTimeout).toBe(1);
  const standby = encode(broadcast.backupKey, '640x360');
  await expect
    .poll(async () => (await fixtures.readStream(row.id)).program, broadcast.longTimeout)
    .toMatchObject({ input: 'primary', standby: { width: 640 } });
  await kill(primary);
  await untilOnAir('standby');
  await untilSegments(2);
  const returnedPrimary = encode();
  await expect
    .poll(async () => (await fixtures.readStream(row.id)).program, broadcast.longTimeout)
    .toMatchObject({ input: 'standby', primary: { width: 320 } });
  // A user switches before the ten seconds are over.
  await db.stream.update({ where: { id: row.id }, data: { switchTo: 'primary', switchAskedAt: new Date() } });
  await expect
    .poll(async () => {
      await broadcast.control.reconcile();
      return (await fixtures.readStream(row.id)).program;
    }, broadcast.longTimeout)
    .toMatchObject({ input: 'primary' });
  await untilSegments(1);
  broadcast.unpublish(standby);
  await expect
    .poll(async () => (await fixtures.readStream(row.id)).program, broadcast.longTimeout)
    .toMatchObject({ standby: null });
  broadcast.unpublish(returnedPrimary);
  await expect.poll(() => sink.publishes[0]?.sink.ends, broadcast.longTimeout).toEqual(['finished']);
  expectUnbroken(sink);
  expect(await broadcast.sessionsOf()).toHaveLength(1);
  expect((await broadcast.names()).filter((name) => name === 'stream.switched')).toHaveLength(2);
});

test('a hundred rejected publishes change nothing while the slate is on air', async () => {
  const broadcast = await openBroadcast(fixtures, { slate: true }, closing);
  const { encode, kill, untilOnAir, untilSegments, sink, ingest, row } = broadcast;
  const encoder = encode();
  await untilOnAir('primary');
  await untilSegments(3);
  await broadcast.untilReady();
  await kill(encoder);
  await untilOnAir('slate');
  const programBefore = (await fixtures.readStream(row.id)).program;
  for (let batch = 0; batch < 10; batch++) {
    const rejectedClients = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        RtmpClient.connectAndPublish(ingest.port, `wrong-${batch}-${index}`),
      ),
    );
    for (const client of rejectedClients) client.end();
  }
  await untilSegments(1);
  expect((await fixtures.readStream(row.id)).program).toEqual(programBefore);
  expect((await broadcast.names()).filter((name) => name.startsWith('stream.'))).toEqual([
    'stream.started',
    'stream.slate_started',
  ]);
  expectUnbroken(sink);
});
