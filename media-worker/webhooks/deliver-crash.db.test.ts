import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openEgress } from '@/lib/infra/egress/egress';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { startDeliveries, deliver, listDue, OutcomeWriter, planDueWebhooks } from '@/lib/webhooks';
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
const steps = ['after the commit', 'after the begin', 'after the send', 'no answer', 'never'] as const;

test('whatever dies where: everything that was committed arrives', async () => {
  let accepting = true;
  const there = await receiver((_request, response) => response.writeHead(accepting ? 200 : 500).end());
  const run = async (step: (typeof steps)[number]) => {
    if (step === 'after the commit') return;
    accepting = step !== 'no answer';
    const asked = (await planDueWebhooks(ctx)).map(({ webhookId }) => ({ webhookId, most: 100 }));
    const due = (await listDue(ctx, asked)).flatMap(({ deliveries }) => deliveries);
    for (const started of await startDeliveries(ctx, due)) {
      const { signal } = new AbortController();
      const writer = new OutcomeWriter(ctx, signal);
      if (step === 'after the send') await sendDelivery(ctx, egress, started, { signal });
      else if (step !== 'after the begin') await deliver(ctx, egress, started, { signal, writer });
    }
  };
  const pass = () => db.$executeRaw`update "WebhookDelivery" set "nextAt" = now() where "state" = 'pending'`;

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
