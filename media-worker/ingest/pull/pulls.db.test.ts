import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database } from '@/lib/infra/db';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { pullColumns } from '@/lib/domain/streams/pull/pull-columns';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { DAY_MS } from '@/lib/core/units';
import { Pulls } from './pulls';

const { ctx, db, createTeam, createStream, readStream } = createLiveFixtures(await createTestDatabase());

const rejectCall = () => Promise.reject(new Error('not used'));

/**
 * Starts the pulls of a node, with one pull that expired.
 * @param beforeEnd runs before each write of the pull's end
 */
async function startWithExpiredPull(beforeEnd: () => Promise<void>) {
  const row = await createStream(await createTeam());
  const actor = { kind: 'cli', teamId: row.teamId } as const;
  const columns = pullColumns({ ...ctx, actor }, row, { source: 'srt://127.0.0.1:9' });
  const pullStartedAt = new Date(ctx.clock.now().getTime() - 2 * DAY_MS);
  await db.stream.update({ where: { id: row.id }, data: { ...columns, pullStartedAt } });
  const observedDb = db.$extends({
    query: {
      stream: {
        async updateMany({ args, query }) {
          if (args.data.pullStartedAt === null) await beforeEnd();
          return query(args);
        },
      },
    },
  });
  const pulls = new Pulls({
    ctx: { ...ctx, db: observedDb as unknown as Database },
    nodeId: newId(),
    clients: {
      egress: { fetch: rejectCall, close: () => Promise.resolve() },
      sockets: { resolve: rejectCall, connect: rejectCall },
      isOwn: () => Promise.resolve(false),
    },
    admit: () => Promise.resolve(null),
    drain: { draining: false, fullReason: null },
  });
  const hasEnded = async () => (await readStream(row.id)).pullStartedAt === null;
  return { pulls, hasEnded };
}

test('the end of an expired pull is written again after a failure', async () => {
  let attempts = 0;
  const { pulls, hasEnded } = await startWithExpiredPull(() => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new Error('the database is unavailable')) : Promise.resolve();
  });
  await expect.poll(hasEnded, { timeout: 20_000 }).toBe(true);
  await expect.poll(() => pulls.count).toBe(0);
  expect(attempts).toBe(2);
  await pulls.close();
});

test('closing waits until the end of an expired pull is written', async () => {
  let openGate = (): void => undefined;
  const gate = new Promise<void>((resolve) => (openGate = resolve));
  let isEnding = false;
  const { pulls, hasEnded } = await startWithExpiredPull(() => {
    isEnding = true;
    return gate;
  });
  await expect.poll(() => isEnding).toBe(true);
  const closing = pulls.close();
  expect(await Promise.race([closing.then(() => 'closed'), delay(1_000, 'waiting')])).toBe('waiting');
  openGate();
  await closing;
  expect(await hasEnded()).toBe(true);
});
