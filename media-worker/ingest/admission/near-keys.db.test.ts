import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { NearKeys } from './near-keys';
import { createLiveNodes } from '@/media-worker/live/session/testing/live-nodes';

const fixtures = createLiveFixtures(await createTestDatabase());
const { ctx, createTeam, createStream, eventsOf, db } = fixtures;
const liveNode = createLiveNodes(fixtures);
const teamId = await createTeam();

/** Mistypes the last character. */
const withTypo = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

describe('an encoder with a wrong key', () => {
  test("that differs in one character is reported to the stream's owner once, and gets the same response as for any wrong key", async () => {
    const { connect } = await liveNode();
    const row = await createStream(teamId);
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await connect(withTypo(row.streamKey))).toBeNull();
    await expect.poll(() => eventsOf(row.id)).toHaveLength(1);
    const [event] = await eventsOf(row.id);
    expect(event).toMatchObject({
      name: 'stream.rejected',
      payload: {
        payload: {
          reason: 'unknown_key',
          message:
            'an encoder tried a key that differs from this stream’s key by one character: copy the key again',
          address: '127.0.0.1',
        },
      },
    });
    expect(JSON.stringify(event?.payload)).not.toContain(withTypo(row.streamKey));
  });

  test('that resembles a backup key is reported if the stream accepts a second encoder', async () => {
    const nearKeys = new NearKeys(ctx);
    const address = '192.0.2.1';
    const [acceptingStream, otherStream] = [await createStream(teamId), await createStream(teamId)];
    for (const [{ id }, backup, backupKey] of [
      [acceptingStream, true, 'aaaa-bbbb-cccc-dddd'],
      [otherStream, false, 'eeee-ffff-gggg-hhhh'],
    ] as const) {
      const backupKeyHash = ctx.secrets.fingerprint('stream-key', backupKey);
      await db.stream.update({ where: { id }, data: { backup, backupKeyHash } });
      await nearKeys.notifyOwner({ streamKey: withTypo(backupKey), address });
    }
    expect(await eventsOf(acceptingStream.id)).toMatchObject([{ name: 'stream.rejected' }]);
    expect(await eventsOf(otherStream.id)).toEqual([]);
  });

  test('that differs in two characters, or resembles the key of a deleted stream, is not reported', async () => {
    const nearKeys = new NearKeys(ctx);
    const [row, deletedRow] = [
      await createStream(teamId),
      await createStream(teamId, { deletedAt: new Date() }),
    ];
    const address = '192.0.2.1';
    await nearKeys.notifyOwner({ streamKey: `x${withTypo(row.streamKey).slice(1)}`, address });
    await nearKeys.notifyOwner({ streamKey: withTypo(deletedRow.streamKey), address });
    await nearKeys.notifyOwner({ streamKey: 'not a key', address });
    expect(await db.event.count({ where: { streamId: { in: [row.id, deletedRow.id] } } })).toBe(0);
  });
});

describe('lookups of near keys are limited', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);

  test('per key, per address group and in total, each minute', () => {
    let monotonicMs = 1_000;
    const nearKeys = new NearKeys({ ...ctx, clock: { now: () => new Date(), monotonic: () => monotonicMs } });
    const countLookups = (address: string, streamKeys: readonly string[]) =>
      streamKeys.filter((streamKey) => nearKeys.startLookup({ streamKey, address })).length;
    expect(countLookups('192.0.2.1', ['same', 'same', 'same'])).toBe(1);
    // The address may cause six lookups in a minute, and `same` was the first one.
    expect(countLookups('192.0.2.1', keys(100))).toBe(5);
    const otherGuesses = Array.from({ length: 100 }, (_, index) =>
      countLookups(`198.51.${index}.1`, [`other-${index}`]),
    );
    // All addresses may cause 60 lookups in a minute; six are used.
    expect(otherGuesses.filter((count) => count === 1)).toHaveLength(54);
    monotonicMs += 60_001;
    expect(countLookups('192.0.2.1', ['same', ...keys(100)])).toBe(6);
  });
});
