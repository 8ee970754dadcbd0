import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openEgress } from '@/lib/infra/egress/egress';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { startDeliveries, deliver, listDue, OutcomeWriter, planDueWebhooks } from '@/lib/domain/webhooks';
import { sendDelivery } from '@/lib/domain/webhooks/send-delivery';
import { createWebhookFixtures } from '@/lib/domain/webhooks/testing/webhook-fixtures';
import { startWebhookReceiver } from './testing/delivery-worker';

const databaseUrl = await createTestDatabase();
const { ctx, db, createTeam, createStream, createWebhook, emitStarted, deliveriesOf, attemptsOf } =
  createWebhookFixtures(databaseUrl);
const egress = openEgress({ allowCidrs: ['127.0.0.1/32'] });
afterAll(() => egress.close());

const idsOf = (requests: readonly { readonly body: string }[]) =>
  requests.map(({ body }) => (JSON.parse(body) as { id: string }).id);

/** Steps after which a process ends. `receiver error`: the receiver answers 500. `never`: the delivery succeeds. */
const steps = ['after commit', 'after start', 'after send', 'receiver error', 'never'] as const;

test('every committed event arrives, even if processes crash after any steps', async () => {
  let isAccepting = true;
  const endpoint = await startWebhookReceiver((_request, response) =>
    response.writeHead(isAccepting ? 200 : 500).end(),
  );
  const runUntilCrash = async (step: (typeof steps)[number]) => {
    if (step === 'after commit') return;
    isAccepting = step !== 'receiver error';
    const requests = (await planDueWebhooks(ctx)).map(({ webhookId }) => ({ webhookId, limit: 100 }));
    const due = (await listDue(ctx, requests)).flatMap(({ deliveries }) => deliveries);
    for (const delivery of await startDeliveries(ctx, due)) {
      const { signal } = new AbortController();
      const writer = new OutcomeWriter(ctx, signal);
      if (step === 'after send') await sendDelivery(ctx, egress, delivery, { signal });
      else if (step !== 'after start') await deliver(ctx, egress, delivery, { signal, writer });
    }
  };
  const makeAllDue = () =>
    db.$executeRaw`update "WebhookDelivery" set "nextAt" = now() where "state" = 'pending'`;

  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 8 }), async (crashes) => {
      const teamId = await createTeam();
      const { id: streamId } = await createStream(teamId);
      const { id } = await createWebhook(teamId, { url: endpoint.url });
      const committedIds: string[] = [];
      for (const step of crashes) {
        committedIds.push(await emitStarted(teamId, streamId));
        await runUntilCrash(step);
        await makeAllDue();
      }
      while ((await db.webhookDelivery.count({ where: { webhookId: id, state: 'pending' } })) > 0) {
        await runUntilCrash('never');
        await makeAllDue();
      }
      const receivedIds = new Set(idsOf(endpoint.received));
      expect(committedIds.filter((id) => !receivedIds.has(id))).toEqual([]);
      expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(committedIds.map(() => 'ok'));
      // Every attempt has a result, or an error that says the result is unknown.
      const unexplainedAttempts = (await attemptsOf(id)).filter(
        ({ durationMs, error }) => durationMs === null && error === null,
      );
      expect(unexplainedAttempts).toEqual([]);
    }),
    { numRuns: 15 },
  );
});
