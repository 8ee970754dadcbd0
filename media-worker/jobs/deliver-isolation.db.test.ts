import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { webhookFixtures } from '@/lib/webhooks/testing/webhook-fixtures';
import { receiver, startDelivering } from './testing/delivering';

const { ctx, db, account, stream, webhook, happen, deliveriesOf, attemptsOf } = webhookFixtures(
  await testDatabase(),
);

/** Milliseconds from the event to its arrival, sorted. */
async function waits(received: readonly { readonly body: string; readonly at: number }[]): Promise<number[]> {
  const ids = received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  const events = await db.event.findMany({ where: { id: { in: ids } } });
  const happened = new Map(events.map(({ id, createdAt }) => [id, createdAt.getTime()]));
  return received.map(({ at }, index) => at - (happened.get(ids[index] ?? '') ?? 0)).sort((a, b) => a - b);
}

test('200 receivers that never answer delay a healthy one by less than 2 s', async () => {
  const hanging = await receiver(() => undefined);
  const healthy = await receiver();
  const delivering = startDelivering(ctx, { timeoutMs: 15_000 });
  // The healthy one shares its account with 49 of them; three more accounts have 50 each.
  const owners = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const userId = await account();
      return { userId, streamId: (await stream(userId)).id };
    }),
  );
  const [first] = owners;
  if (!first) throw new Error('no account');
  const { id } = await webhook(first.userId, { url: healthy.url });
  /** How long 95 in 100 events of so many rounds wait at most. */
  const p95 = async (rounds: number) => {
    const before = healthy.received.length;
    for (let round = 0; round < rounds; round++) {
      await Promise.all(owners.map(({ userId, streamId }) => happen(userId, streamId)));
      delivering.nudge();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await healthy.arrived(before + rounds);
    return (await waits(healthy.received.slice(before)))[Math.ceil(rounds * 0.95) - 1] ?? Infinity;
  };
  const undisturbed = await p95(5);
  for (const [index, { userId }] of owners.entries()) {
    const hooks = Array.from({ length: index === 0 ? 49 : 50 }, () => webhook(userId, { url: hanging.url }));
    await Promise.all(hooks);
  }
  expect((await p95(15)) - undisturbed).toBeLessThan(2_000);
  expect(new Set((await deliveriesOf(id)).map(({ attempt }) => attempt))).toEqual(new Set([1]));
  expect(hanging.received.length).toBeGreaterThanOrEqual(199);
  const attempts = await db.webhookAttempt.count({ where: { durationMs: null } });
  expect(attempts).toBeLessThanOrEqual(200 * 4);
  await delivering.stop();
});

beforeEach(() => db.webhook.deleteMany());

test('two processes that look for the same deliveries make each of them once', async () => {
  const there = await receiver();
  const userId = await account();
  const { id: streamId } = await stream(userId);
  const { id } = await webhook(userId, { url: there.url });
  for (let count = 0; count < 60; count++) await happen(userId, streamId);
  const both = [startDelivering(ctx), startDelivering(ctx)];
  await both[0]?.settled();
  await Promise.all(both.map((one) => one.stop()));
  const ids = there.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  expect(ids).toHaveLength(60);
  expect(new Set(ids).size).toBe(60);
  expect(await attemptsOf(id)).toHaveLength(60);
});

test.each([400_000, -400_000])(
  'a clock that is off by %s ms changes nothing about when deliveries are due',
  async (ms) => {
    const there = await receiver((_request, response) => response.writeHead(500).end());
    const userId = await account();
    const { id: streamId } = await stream(userId);
    const { id } = await webhook(userId, { url: there.url });
    await happen(userId, streamId);
    const jumped = { now: () => new Date(Date.now() + ms), monotonic: () => performance.now() };
    const delivering = startDelivering({ ...ctx, clock: jumped });
    await there.arrived(1);
    await expect
      .poll(async () => (await attemptsOf(id)).map(({ error }) => error))
      .toEqual(['the receiver answered 500']);
    await delivering.stop();
    const [delivery] = await deliveriesOf(id);
    const [row] = await db.$queryRaw<{ now: Date }[]>`select now() as now`;
    const wait = Number(delivery?.nextAt) - Number(row?.now);
    expect(wait).toBeGreaterThan(3_000);
    expect(wait).toBeLessThanOrEqual(5_500);
    expect(delivery).toMatchObject({ state: 'pending', attempt: 1, lockedUntil: null });
  },
);

test('what is under way when the process ends is made by the next one at once', async () => {
  let answers = false;
  const there = await receiver((_request, response) => {
    if (answers) response.end();
  });
  const userId = await account();
  const { id: streamId } = await stream(userId);
  const { id } = await webhook(userId, { url: there.url });
  await happen(userId, streamId);
  const before = startDelivering(ctx);
  await there.arrived(1);
  await before.stop();
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'pending', lockedUntil: null, triesBefore: 1 }]);
  answers = true;
  const after = startDelivering(ctx);
  await after.settled();
  await after.stop();
  expect(await attemptsOf(id)).toMatchObject([
    { attempt: 1, error: 'the request was aborted' },
    { attempt: 2, success: true },
  ]);
});
