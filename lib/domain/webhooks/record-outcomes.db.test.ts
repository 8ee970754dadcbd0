import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS } from '@/lib/core/units';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { startDeliveries, listDue } from './start-deliveries';
import { OutcomeWriter } from './outcome-writer';
import { recordOutcomes, type FinishedAttempt } from './record-outcomes';
import type { Outcome } from './send-delivery';
import { createWebhookFixtures } from './testing/webhook-fixtures';

const { ctx, db, createTeam, createStream, createWebhook, emitStarted, deliveriesOf, attemptsOf } =
  createWebhookFixtures(await createTestDatabase());

const outcomes = {
  accepted: { result: 'accepted', status: 200, durationMs: 5 },
  rejected: { result: 'rejected', status: 500, error: 'the receiver answered 500', durationMs: 5 },
  gone: { result: 'gone', status: 410, error: 'the receiver answered 410', durationMs: 5 },
  stopped: { result: 'stopped', error: 'the request was aborted', durationMs: 5 },
  skipped: { result: 'skipped', error: 'skipped: the webhook is disabled', durationMs: 0 },
} satisfies Record<string, Outcome>;
/** Result of an attempt. `exhausted` is a rejection of the last attempt. */
type Ending = keyof typeof outcomes | 'exhausted';

const hundredHoursAgo = new Date(Date.now() - 100 * HOUR_MS);

/**
 * Creates webhooks that have failed for days, and one started attempt per result, distributed over the webhooks.
 * @param givenUp number of deliveries of each webhook that have failed before
 */
async function createStartedAttempts(
  endings: readonly Ending[],
  { webhookCount = 2, givenUp = 10 } = {},
): Promise<FinishedAttempt[]> {
  const teamId = await createTeam();
  const { id: streamId } = await createStream(teamId);
  const attempts: FinishedAttempt[] = [];
  const webhooks = await Promise.all(
    Array.from({ length: webhookCount }, () =>
      createWebhook(teamId, { failingSince: hundredHoursAgo, givenUp }),
    ),
  );
  await db.webhook.updateMany({ where: { teamId }, data: { events: [] } });
  for (const [index, ending] of endings.entries()) {
    const id = webhooks[index % webhookCount]?.id ?? '';
    // The webhook is subscribed for this event only, so that no other webhook gets a delivery.
    await db.webhook.update({ where: { id }, data: { events: ['stream.started'] } });
    const eventId = await emitStarted(teamId, streamId);
    await db.webhook.update({ where: { id }, data: { events: [] } });
    // The twelfth attempt is the last.
    if (ending === 'exhausted')
      await db.webhookDelivery.updateMany({ where: { eventId }, data: { attempt: 11 } });
    const [delivery] = await db.webhookDelivery.findMany({ where: { eventId } });
    const [startedDelivery] = await startDeliveries(ctx, delivery ? [delivery] : []);
    if (!startedDelivery) throw new Error('no attempt was started');
    attempts.push({
      attempt: startedDelivery,
      outcome: outcomes[ending === 'exhausted' ? 'rejected' : ending],
    });
  }
  return attempts;
}

/** The rows of webhooks, deliveries and attempts after the results were stored, without times and ids. */
async function readState(finishedAttempts: readonly FinishedAttempt[]) {
  const ids = [...new Set(finishedAttempts.map(({ attempt: delivery }) => delivery.webhookId))];
  const webhooks = await Promise.all(ids.map((id) => db.webhook.findUniqueOrThrow({ where: { id } })));
  const deliveries = await Promise.all(
    finishedAttempts.map(({ attempt: { id } }) => db.webhookDelivery.findUniqueOrThrow({ where: { id } })),
  );
  const attempts = await Promise.all(
    finishedAttempts.map(({ attempt: delivery }) =>
      db.webhookAttempt.findUniqueOrThrow({ where: { id: delivery.attemptId } }),
    ),
  );
  return {
    webhooks: webhooks.map(({ failingSince, givenUp, disabled, disabledReason, lastFailure }) => ({
      failingSince: failingSince === null ? null : failingSince <= hundredHoursAgo ? 'long ago' : 'now',
      givenUp,
      disabled,
      disabledReason,
      lastFailure: (lastFailure as { error?: string } | null)?.error,
    })),
    deliveries: deliveries.map(({ state, nextAt, attempt, triesBefore }) => ({
      state,
      attempt,
      triesBefore,
      due: nextAt !== null,
    })),
    attempts: attempts.map(({ success, error, statusCode, nextAt, durationMs }) => ({
      success,
      error,
      statusCode,
      durationMs,
      next: nextAt !== null,
    })),
  };
}

test('a batch of results has the same effect as the same results written one by one', async () => {
  const ending = fc.constantFrom<Ending>('accepted', 'rejected', 'exhausted', 'gone', 'stopped', 'skipped');
  await fc.assert(
    fc.asyncProperty(fc.array(ending, { minLength: 1, maxLength: 8 }), async (endings) => {
      const batch = await createStartedAttempts(endings);
      const dueTimes = await recordOutcomes(ctx, batch);
      const separateAttempts = await createStartedAttempts(endings);
      for (const attempt of separateAttempts) await recordOutcomes(ctx, [attempt]);
      const state = await readState(batch);
      expect(state).toEqual(await readState(separateAttempts));
      expect(dueTimes.map((dueTime) => dueTime !== null)).toEqual(state.attempts.map(({ next }) => next));
    }),
    { numRuns: 15 },
  );
});

test.each<[Ending[], object]>([
  [['exhausted'], { disabled: true, disabledReason: 'failing', givenUp: 20, failingSince: 'long ago' }],
  [['exhausted', 'accepted'], { disabled: false, givenUp: 0, failingSince: null }],
  [['rejected'], { disabled: false, givenUp: 19, failingSince: 'long ago' }],
])(
  'after the results %j, a webhook with 19 failed deliveries in 100 hours has the state %j',
  async (endings, expected) => {
    const attempts = await createStartedAttempts(endings, { webhookCount: 1, givenUp: 19 });
    await recordOutcomes(ctx, attempts);
    expect((await readState(attempts)).webhooks).toMatchObject([expected]);
  },
);

test('a success clears the failures that were counted before it', async () => {
  const attempts = await createStartedAttempts(['exhausted', 'accepted', 'exhausted', 'rejected'], {
    webhookCount: 1,
  });
  await recordOutcomes(ctx, attempts);
  expect((await readState(attempts)).webhooks).toEqual([
    {
      failingSince: 'now',
      givenUp: 1,
      disabled: false,
      disabledReason: null,
      lastFailure: 'the receiver answered 500',
    },
  ]);
});

test('processes that write results of the same deliveries do not deadlock', async () => {
  const attempts = await createStartedAttempts(Array<Ending>(40).fill('accepted'), { webhookCount: 4 });
  const reversedAttempts = [...attempts].reverse();
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => recordOutcomes(ctx, index % 2 ? attempts : reversedAttempts)),
  );
  expect(new Set((await readState(attempts)).deliveries.map(({ state }) => state))).toEqual(new Set(['ok']));
});

test('concurrent processes start each delivery once', async () => {
  const teamId = await createTeam();
  const { id: streamId } = await createStream(teamId);
  const { id: webhookId } = await createWebhook(teamId);
  for (let count = 0; count < 32; count++) await emitStarted(teamId, streamId);
  const [dueDeliveries] = await listDue(ctx, [{ webhookId, limit: 32 }]);
  const deliveries = dueDeliveries?.deliveries ?? [];
  expect(deliveries).toHaveLength(32);
  const starts = Array.from({ length: 8 }, (_, index) =>
    startDeliveries(ctx, index % 2 ? deliveries : [...deliveries].reverse()),
  );
  const startedIds = (await Promise.all(starts)).flat().map(({ id }) => id);
  expect(startedIds).toHaveLength(32);
  expect(new Set(startedIds).size).toBe(32);
  expect((await deliveriesOf(webhookId)).map(({ attempt }) => attempt)).toEqual(Array(32).fill(1));
  expect(await attemptsOf(webhookId)).toHaveLength(32);
});

test('a superseded attempt changes its delivery only if it was accepted', async () => {
  for (const ending of ['rejected', 'gone', 'accepted'] as const) {
    const [supersededAttempt] = await createStartedAttempts([ending], { webhookCount: 1 });
    if (!supersededAttempt) throw new Error('no attempt was started');
    const [row] = await deliveriesOf(supersededAttempt.attempt.webhookId);
    const [successor] = await startDeliveries(ctx, row ? [row] : []);
    expect(successor?.attempt).toBe(2);
    await recordOutcomes(ctx, [supersededAttempt]);
    const state = ending === 'accepted' ? 'ok' : 'pending';
    expect(await deliveriesOf(supersededAttempt.attempt.webhookId)).toMatchObject([{ state, attempt: 2 }]);
    const { webhooks } = await readState([supersededAttempt]);
    const failingSince = ending === 'accepted' ? null : 'long ago';
    expect(webhooks).toMatchObject([{ failingSince, disabled: false, lastFailure: undefined }]);
  }
});

test('a result that cannot be written does not block others', async () => {
  const shutdown = new AbortController();
  const writer = new OutcomeWriter(ctx, shutdown.signal);
  const [unwritableAttempt, ...otherAttempts] = await createStartedAttempts(
    Array<Ending>(5).fill('accepted'),
  );
  if (!unwritableAttempt) throw new Error('no attempt was started');
  // PostgreSQL rejects the NUL character in text.
  const failingWrite = writer.write({
    ...unwritableAttempt,
    outcome: { ...unwritableAttempt.outcome, error: 'a\0b' },
  });
  // These results arrive during the first write, so they form one batch with the result that cannot be written.
  const writes = otherAttempts.map((item) => writer.write(item));
  const repeatedWrite = writer.write({
    ...unwritableAttempt,
    outcome: { ...unwritableAttempt.outcome, error: 'a\0b' },
  });
  expect(await Promise.all(writes)).toEqual([null, null, null, null]);
  expect((await readState(otherAttempts)).deliveries.map(({ state }) => state)).toEqual([
    'ok',
    'ok',
    'ok',
    'ok',
  ]);
  shutdown.abort();
  expect(await Promise.all([failingWrite, repeatedWrite])).toEqual([null, null]);
  expect((await readState([unwritableAttempt])).deliveries).toMatchObject([{ state: 'pending' }]);
});
