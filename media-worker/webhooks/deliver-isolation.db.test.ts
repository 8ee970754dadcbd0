import { beforeEach, expect, test } from 'vitest';
import { shardOf } from '@/lib/contract/jobs';
import { notify } from '@/lib/infra/notifications';
import { openQueues } from '@/lib/infra/queue/queue';
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

test('two processes that hear of the same deliveries make each of them once', async () => {
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
    expect(delivery).toMatchObject({ state: 'pending', attempt: 1 });
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
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'pending', triesBefore: 1 }]);
  answers = true;
  const after = startDelivering(ctx);
  await after.settled();
  await after.stop();
  expect(await attemptsOf(id)).toMatchObject([
    { attempt: 1, error: 'the request was aborted' },
    { attempt: 2, success: true },
  ]);
});

test('what is committed and told after the last look at a shard, while its job is there, is delivered', async () => {
  const there = await receiver();
  const userId = await account();
  const { id: streamId } = await stream(userId);
  const { id } = await webhook(userId, { url: there.url });
  let late = '';
  const delivering = startDelivering(ctx, {
    async ended(jobs) {
      if (late) return;
      late = await happen(userId, streamId);
      // The job of this shard still runs, so none is added.
      await jobs.some([late]);
    },
  });
  await happen(userId, streamId);
  await there.arrived(2);
  await delivering.settled();
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'ok' }, { state: 'ok', eventId: late }]);
  await delivering.stop();
});

test('an event does not wait for the retry of another one, nor does one that is asked for again', async () => {
  let accepting = false;
  const there = await receiver((_request, response) => response.writeHead(accepting ? 200 : 500).end());
  const userId = await account();
  const { id: streamId } = await stream(userId);
  const { id } = await webhook(userId, { url: there.url });
  const delivering = startDelivering(ctx);
  const first = await happen(userId, streamId);
  await there.arrived(1);
  const retry = { state: 'pending', attempt: 1, nextAt: expect.any(Date) as Date };
  await expect.poll(() => deliveriesOf(id)).toMatchObject([retry]);
  // Far from now; the job is planned by it when the shard is let go.
  await db.webhookDelivery.updateMany({
    where: { webhookId: id },
    data: { nextAt: new Date(Date.now() + 3_600_000) },
  });
  const queues = openQueues(ctx.settings, ctx.log);
  const delayed = async () => (await queues.counts()).find(({ name }) => name === 'deliveries')?.delayed;
  await expect.poll(delayed).toBeGreaterThan(0);
  accepting = true;
  await happen(userId, streamId);
  await there.arrived(2);
  await expect
    .poll(async () => (await deliveriesOf(id)).map(({ state }) => state))
    .toEqual(['pending', 'ok']);
  await expect.poll(delayed).toBeGreaterThan(0);
  await db.webhookDelivery.updateMany({
    where: { eventId: first },
    data: { triesBefore: 1, firstAt: null, nextAt: new Date() },
  });
  await notify(db, 'event_written', first);
  await there.arrived(3);
  await delivering.settled();
  await delivering.stop();
  await queues.close();
});

test('a process that keeps a shard delivers a retry that was planned before', async () => {
  const there = await receiver();
  const userId = await account();
  const { id: streamId } = await stream(userId);
  const byShard = new Map<string, string>();
  let pair: readonly string[] = [];
  // Among 17 webhooks two have the same shard.
  while (pair.length === 0) {
    const { id } = await webhook(userId, { url: there.url, events: [] });
    const other = byShard.get(shardOf(id));
    if (other) pair = [other, id];
    byShard.set(shardOf(id), id);
  }
  await db.webhook.updateMany({ where: { id: { in: [...pair] } }, data: { events: ['stream.started'] } });
  await happen(userId, streamId);
  const [retried, told] = pair;
  const nextAt = new Date(Date.now() + 3_000);
  await db.webhookDelivery.updateMany({ where: { webhookId: retried ?? '' }, data: { nextAt } });
  const delivering = startDelivering(ctx, { lingerMs: 60_000 });
  await there.arrived(1);
  expect(await deliveriesOf(retried ?? '')).toMatchObject([{ state: 'pending', attempt: 0 }]);
  await delivering.settled();
  expect(await deliveriesOf(told ?? '')).toMatchObject([{ state: 'ok', attempt: 1 }]);
  expect(there.received).toHaveLength(2);
  await delivering.stop();
});
