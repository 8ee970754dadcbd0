import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openEgress } from '@/lib/infra/egress';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { claimDeliveries, deliver, listWaiting, OutcomeWriter } from '@/lib/webhooks';
import { sendDelivery } from '@/lib/webhooks/send-delivery';
import { webhookFixtures } from '@/lib/webhooks/testing/webhook-fixtures';
import { receiver } from './testing/delivering';

const databaseUrl = await testDatabase();
const { ctx, db, account, stream, webhook, happen, deliveriesOf, attemptsOf } = webhookFixtures(databaseUrl);
const egress = openEgress({ allowCidrs: ['127.0.0.1/32'] });
afterAll(() => egress.close());

const idsOf = (received: readonly { readonly body: string }[]) =>
  received.map(({ body }) => (JSON.parse(body) as { id: string }).id);

/** Where a process may die; `never`: it makes the delivery. `no answer`: so does it, and the receiver fails. */
const steps = ['after the commit', 'after the claim', 'after the send', 'no answer', 'never'] as const;

test('whatever dies where: everything that was committed arrives', async () => {
  let accepting = true;
  const there = await receiver((_request, response) => response.writeHead(accepting ? 200 : 500).end());
  const run = async (step: (typeof steps)[number]) => {
    if (step === 'after the commit') return;
    const ids = (await listWaiting(ctx)).flatMap(({ deliveryIds }) => deliveryIds);
    accepting = step !== 'no answer';
    for (const claimed of await claimDeliveries(ctx, ids)) {
      const { signal } = new AbortController();
      const writer = new OutcomeWriter(ctx, signal);
      if (step === 'after the send') await sendDelivery(ctx, egress, claimed, { signal });
      else if (step !== 'after the claim') await deliver(ctx, egress, claimed, { signal, writer });
    }
  };
  const pass = () =>
    db.$executeRaw`update "WebhookDelivery" set "lockedUntil" = null, "nextAt" = now() where "state" = 'pending'`;

  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 8 }), async (deaths) => {
      const userId = await account();
      const { id: streamId } = await stream(userId);
      const { id } = await webhook(userId, { url: there.url });
      const committed: string[] = [];
      for (const step of deaths) {
        committed.push(await happen(userId, streamId));
        await run(step);
        await pass();
      }
      while ((await db.webhookDelivery.count({ where: { webhookId: id, state: 'pending' } })) > 0) {
        await run('never');
        await pass();
      }
      const seen = new Set(idsOf(there.received));
      expect(committed.filter((event) => !seen.has(event))).toEqual([]);
      expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(committed.map(() => 'ok'));
      // No attempt is without a word: it has a result, or says that the result is not known.
      const silent = (await attemptsOf(id)).filter(
        ({ durationMs, error }) => durationMs === null && error === null,
      );
      expect(silent).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test('kill -9 of the delivering process loses nothing', async () => {
  let count = 0;
  const there = await receiver((_request, response) => {
    // Every third answer is slow enough to be killed in.
    setTimeout(() => response.end(), ++count % 3 === 0 ? 60 : 0);
  });
  const userId = await account();
  const { id: streamId } = await stream(userId);
  const { id } = await webhook(userId, { url: there.url });
  let child: ChildProcess | null = null;
  const start = () =>
    spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'testing', 'delivering-process.ts')],
      {
        env: {
          DATABASE_URL: databaseUrl,
          NODE_ENV: 'test',
          APP_SECRET: 'x'.repeat(32),
          EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
          WEBHOOK_RETRY_BASE_MS: '200',
        },
        stdio: 'ignore',
      },
    );
  const kill = async () => {
    child?.kill('SIGKILL');
    if (child) await once(child, 'exit');
  };
  afterAll(kill);

  const committed: string[] = [];
  for (let life = 0; life < 4; life++) {
    child = start();
    const before = there.received.length;
    for (let event = 0; event < 25; event++) committed.push(await happen(userId, streamId));
    // Killed in the middle of the work: some arrived, more wait.
    await there.arrived(before + 5 + life);
    await kill();
  }
  child = start();
  await expect
    .poll(() => db.webhookDelivery.count({ where: { webhookId: id, state: 'pending' } }), {
      timeout: 100_000,
    })
    .toBe(0);
  await kill();
  expect((await deliveriesOf(id)).filter(({ state }) => state !== 'ok')).toEqual([]);
  const seen = new Set(idsOf(there.received));
  expect(committed.filter((event) => !seen.has(event))).toEqual([]);
  expect(seen.size).toBe(committed.length);
});
