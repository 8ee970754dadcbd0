import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { shardOf } from '@/lib/contract/jobs';
import { laneLimits } from '@/lib/core/webhooks/delivery-lanes';
import { notify } from '@/lib/infra/notifications';
import { openQueues } from '@/lib/infra/queue/queue';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWebhookFixtures } from '@/lib/domain/webhooks/testing/webhook-fixtures';
import { startWebhookReceiver, startDeliveryWorker } from './testing/delivery-worker';

const { ctx, db, createTeam, createStream, createWebhook, emitStarted, deliveriesOf, attemptsOf } =
  createWebhookFixtures(await createTestDatabase());

/**
 * Starts a delivery worker that stops after the test, even if the test fails: it must not deliver the events of
 * other tests.
 */
function startWorker(...[context = ctx, options]: Partial<Parameters<typeof startDeliveryWorker>>) {
  const worker = startDeliveryWorker(context, options);
  onTestFinished(worker.stop);
  return worker;
}

beforeEach(() => db.webhook.deleteMany());

test('200 receivers that never respond do not delay a healthy one', async () => {
  const hangingReceiver = await startWebhookReceiver(() => undefined);
  const healthyReceiver = await startWebhookReceiver();
  // The timeout is longer than the test, so a delivery that waits for a slow attempt does not arrive during the test.
  const worker = startWorker(ctx, { timeoutMs: 600_000 });
  // The healthy receiver shares its team with 49 slow ones. Three more teams have 50 each.
  const streams = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const teamId = await createTeam();
      return { teamId, streamId: (await createStream(teamId)).id };
    }),
  );
  const [firstStream] = streams;
  if (!firstStream) throw new Error('no stream');
  const { id } = await createWebhook(firstStream.teamId, { url: healthyReceiver.url });
  for (const [index, { teamId }] of streams.entries()) {
    const hooks = Array.from({ length: index === 0 ? 49 : 50 }, () =>
      createWebhook(teamId, { url: hangingReceiver.url }),
    );
    await Promise.all(hooks);
  }
  for (let round = 1; round <= 10; round++) {
    await Promise.all(streams.map(({ teamId, streamId }) => emitStarted(teamId, streamId)));
    worker.notify();
    await healthyReceiver.waitForRequests(round);
  }
  await expect
    .poll(async () => (await deliveriesOf(id)).map(({ state }) => state))
    .toEqual(Array(10).fill('ok'));
  expect((await deliveriesOf(id)).map(({ attempt }) => attempt)).toEqual(Array(10).fill(1));
  await expect.poll(() => hangingReceiver.received.length, { timeout: 100_000 }).toBeGreaterThanOrEqual(199);
  const runningCount = await db.webhookAttempt.count({ where: { durationMs: null } });
  expect(runningCount).toBeLessThanOrEqual(199 * laneLimits.perWebhook);
});

test('two processes that are notified of the same deliveries send each of them once', async () => {
  const endpoint = await startWebhookReceiver();
  const teamId = await createTeam();
  const { id: streamId } = await createStream(teamId);
  const { id } = await createWebhook(teamId, { url: endpoint.url });
  for (let count = 0; count < 60; count++) await emitStarted(teamId, streamId);
  const workers = [startWorker(ctx), startWorker(ctx)];
  await workers[0]?.waitUntilDone();
  await Promise.all(workers.map((worker) => worker.stop()));
  const ids = endpoint.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  expect(ids).toHaveLength(60);
  expect(new Set(ids).size).toBe(60);
  expect(await attemptsOf(id)).toHaveLength(60);
});

test.each([400_000, -400_000])(
  'deliveries are due at the same time if the clock of the process is off by %s ms',
  async (offsetMs) => {
    const endpoint = await startWebhookReceiver((_request, response) => response.writeHead(500).end());
    const teamId = await createTeam();
    const { id: streamId } = await createStream(teamId);
    const { id } = await createWebhook(teamId, { url: endpoint.url });
    await emitStarted(teamId, streamId);
    const jumpedClock = { now: () => new Date(Date.now() + offsetMs), monotonic: () => performance.now() };
    const worker = startWorker({ ...ctx, clock: jumpedClock });
    await endpoint.waitForRequests(1);
    await expect
      .poll(async () => (await attemptsOf(id)).map(({ error }) => error))
      .toEqual(['the receiver answered 500']);
    await worker.stop();
    const [delivery] = await deliveriesOf(id);
    const [row] = await db.$queryRaw<{ now: Date }[]>`select now() as now`;
    const delayMs = Number(delivery?.nextAt) - Number(row?.now);
    expect(delayMs).toBeGreaterThan(3_000);
    expect(delayMs).toBeLessThanOrEqual(5_500);
    expect(delivery).toMatchObject({ state: 'pending', attempt: 1 });
  },
);

test('a delivery in progress at shutdown is sent immediately by the next process', async () => {
  let isResponding = false;
  const endpoint = await startWebhookReceiver((_request, response) => {
    if (isResponding) response.end();
  });
  const teamId = await createTeam();
  const { id: streamId } = await createStream(teamId);
  const { id } = await createWebhook(teamId, { url: endpoint.url });
  await emitStarted(teamId, streamId);
  const stoppedWorker = startWorker(ctx);
  await endpoint.waitForRequests(1);
  await stoppedWorker.stop();
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'pending', triesBefore: 1 }]);
  isResponding = true;
  const nextWorker = startWorker(ctx);
  await nextWorker.waitUntilDone();
  await nextWorker.stop();
  expect(await attemptsOf(id)).toMatchObject([
    { attempt: 1, error: 'the request was aborted' },
    { attempt: 2, success: true },
  ]);
});

test('an event committed after the last check of a shard, while its job still exists, is delivered', async () => {
  const endpoint = await startWebhookReceiver();
  const teamId = await createTeam();
  const { id: streamId } = await createStream(teamId);
  const { id } = await createWebhook(teamId, { url: endpoint.url });
  let lateEventId = '';
  let isReleased = false;
  const worker = startWorker(ctx, {
    async shardReleased(jobs) {
      // Several shards may be released together.
      if (isReleased) return;
      isReleased = true;
      lateEventId = await emitStarted(teamId, streamId);
      // The job of this shard is still running, so no other is added.
      await jobs.addFor([lateEventId]);
    },
  });
  await emitStarted(teamId, streamId);
  await endpoint.waitForRequests(2);
  await worker.waitUntilDone();
  expect(await deliveriesOf(id)).toMatchObject([{ state: 'ok' }, { state: 'ok', eventId: lateEventId }]);
});

test('neither a new event nor a resent one waits for the retry of another event', async () => {
  let isAccepting = false;
  const endpoint = await startWebhookReceiver((_request, response) =>
    response.writeHead(isAccepting ? 200 : 500).end(),
  );
  const teamId = await createTeam();
  const { id: streamId } = await createStream(teamId);
  const { id } = await createWebhook(teamId, { url: endpoint.url });
  const worker = startWorker(ctx);
  const failedEventId = await emitStarted(teamId, streamId);
  await endpoint.waitForRequests(1);
  const retry = { state: 'pending', attempt: 1, nextAt: expect.any(Date) as Date };
  await expect.poll(() => deliveriesOf(id)).toMatchObject([retry]);
  // Move the retry far away. When the shard is released, its next job is planned for that time.
  await db.webhookDelivery.updateMany({
    where: { webhookId: id },
    data: { nextAt: new Date(Date.now() + 3_600_000) },
  });
  const queues = openQueues(ctx.settings, ctx.log);
  const countDelayed = async () => (await queues.counts()).find(({ name }) => name === 'deliveries')?.delayed;
  await expect.poll(countDelayed).toBeGreaterThan(0);
  isAccepting = true;
  await emitStarted(teamId, streamId);
  await endpoint.waitForRequests(2);
  await expect
    .poll(async () => (await deliveriesOf(id)).map(({ state }) => state))
    .toEqual(['pending', 'ok']);
  await expect.poll(countDelayed).toBeGreaterThan(0);
  await db.webhookDelivery.updateMany({
    where: { eventId: failedEventId },
    data: { triesBefore: 1, firstAt: null, nextAt: new Date() },
  });
  await notify(db, 'event_written', failedEventId);
  await endpoint.waitForRequests(3);
  await worker.waitUntilDone();
  await queues.close();
});

test('a process that takes a shard also delivers its earlier scheduled retries', async () => {
  const endpoint = await startWebhookReceiver();
  const teamId = await createTeam();
  const { id: streamId } = await createStream(teamId);
  const webhookIdByShard = new Map<string, string>();
  let sameShardIds: readonly string[] = [];
  // There are 16 shards, so two of 17 webhooks share one.
  while (sameShardIds.length === 0) {
    const { id } = await createWebhook(teamId, { url: endpoint.url, events: [] });
    const otherId = webhookIdByShard.get(shardOf(id));
    if (otherId) sameShardIds = [otherId, id];
    webhookIdByShard.set(shardOf(id), id);
  }
  await db.webhook.updateMany({
    where: { id: { in: [...sameShardIds] } },
    data: { events: ['stream.started'] },
  });
  await emitStarted(teamId, streamId);
  const [retriedId, notifiedId] = sameShardIds;
  const nextAt = new Date(Date.now() + 3_000);
  await db.webhookDelivery.updateMany({ where: { webhookId: retriedId ?? '' }, data: { nextAt } });
  const worker = startWorker(ctx, { lingerMs: 60_000 });
  await endpoint.waitForRequests(1);
  expect(await deliveriesOf(retriedId ?? '')).toMatchObject([{ state: 'pending', attempt: 0 }]);
  await worker.waitUntilDone();
  expect(await deliveriesOf(notifiedId ?? '')).toMatchObject([{ state: 'ok', attempt: 1 }]);
  expect(endpoint.received).toHaveLength(2);
});
