import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testDatabase } from '@/lib/infra/testing/test-database';
import { startDeliveries, listDue } from './start-deliveries';
import { OutcomeWriter } from './outcome-writer';
import { recordOutcomes, type MadeAttempt } from './record-outcomes';
import type { Outcome } from './send-delivery';
import { webhookFixtures } from './testing/webhook-fixtures';

const { ctx, db, account, stream, webhook, happen, deliveriesOf, attemptsOf } = webhookFixtures(
  await testDatabase(),
);

const outcomes = {
  accepted: { result: 'accepted', status: 200, durationMs: 5 },
  refused: { result: 'refused', status: 500, error: 'the receiver answered 500', durationMs: 5 },
  gone: { result: 'gone', status: 410, error: 'the receiver answered 410', durationMs: 5 },
  stopped: { result: 'stopped', error: 'the request was aborted', durationMs: 5 },
  switched_off: { result: 'switched_off', error: 'skipped: the webhook is disabled', durationMs: 0 },
} satisfies Record<string, Outcome>;
/** `exhausted` is a refusal of the last attempt. */
type Ending = keyof typeof outcomes | 'exhausted';

const longAgo = new Date(Date.now() - 100 * 3_600_000);

/** Webhooks that have failed for days, and one started delivery for each of the endings, which belong to them in turns. */
async function begunFor(
  endings: readonly Ending[],
  { webhooks = 2, givenUp = 10 } = {},
): Promise<MadeAttempt[]> {
  const userId = await account();
  const { id: streamId } = await stream(userId);
  const made: MadeAttempt[] = [];
  const hooks = await Promise.all(
    Array.from({ length: webhooks }, () => webhook(userId, { failingSince: longAgo, givenUp })),
  );
  await db.webhook.updateMany({ where: { userId }, data: { events: [] } });
  for (const [index, ending] of endings.entries()) {
    const id = hooks[index % webhooks]?.id ?? '';
    await db.webhook.update({ where: { id }, data: { events: ['stream.started'] } });
    const eventId = await happen(userId, streamId);
    await db.webhook.update({ where: { id }, data: { events: [] } });
    if (ending === 'exhausted')
      await db.webhookDelivery.updateMany({ where: { eventId }, data: { attempt: 11 } });
    const [delivery] = await db.webhookDelivery.findMany({ where: { eventId } });
    const [started] = await startDeliveries(ctx, delivery ? [delivery] : []);
    if (!started) throw new Error('nothing was begun');
    made.push({ started, outcome: outcomes[ending === 'exhausted' ? 'refused' : ending] });
  }
  return made;
}

/** What is left, without times and ids. */
async function stateAfter(made: readonly MadeAttempt[]) {
  const ids = [...new Set(made.map(({ started }) => started.webhookId))];
  const hooks = await Promise.all(ids.map((id) => db.webhook.findUniqueOrThrow({ where: { id } })));
  const deliveries = await Promise.all(
    made.map(({ started: { id } }) => db.webhookDelivery.findUniqueOrThrow({ where: { id } })),
  );
  const attempts = await Promise.all(
    made.map(({ started }) => db.webhookAttempt.findUniqueOrThrow({ where: { id: started.attemptId } })),
  );
  return {
    hooks: hooks.map(({ failingSince, givenUp, disabled, disabledReason, lastFailure }) => ({
      since: failingSince === null ? 'not' : failingSince <= longAgo ? 'long ago' : 'now',
      givenUp,
      disabled,
      disabledReason,
      lastFailure: (lastFailure as { error?: string } | null)?.error,
    })),
    deliveries: deliveries.map(({ state, nextAt, attempt, triesBefore }) => ({
      ...{ state, attempt, triesBefore, due: nextAt !== null },
    })),
    attempts: attempts.map(({ success, error, statusCode, nextAt, durationMs }) => ({
      ...{ success, error, statusCode, durationMs, next: nextAt !== null },
    })),
  };
}

test('results written together leave what the same ones leave, written one by one', async () => {
  const ending = fc.constantFrom<Ending>(
    'accepted',
    'refused',
    'exhausted',
    'gone',
    'stopped',
    'switched_off',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(ending, { minLength: 1, maxLength: 8 }), async (endings) => {
      const together = await begunFor(endings);
      const dates = await recordOutcomes(ctx, together);
      const single = await begunFor(endings);
      for (const one of single) await recordOutcomes(ctx, [one]);
      const state = await stateAfter(together);
      expect(state).toEqual(await stateAfter(single));
      expect(dates.map((date) => date !== null)).toEqual(state.attempts.map(({ next }) => next));
    }),
    { numRuns: 15 },
  );
});

test.each<[Ending[], object]>([
  [['exhausted'], { disabled: true, disabledReason: 'failing', givenUp: 20, since: 'long ago' }],
  [['exhausted', 'accepted'], { disabled: false, givenUp: 0, since: 'not' }],
  [['refused'], { disabled: false, givenUp: 19, since: 'long ago' }],
])('a webhook that has failed for days, after %j', async (endings, expected) => {
  const made = await begunFor(endings, { webhooks: 1, givenUp: 19 });
  await recordOutcomes(ctx, made);
  expect((await stateAfter(made)).hooks).toMatchObject([expected]);
});

test('failures after a success count from the success on', async () => {
  const made = await begunFor(['exhausted', 'accepted', 'exhausted', 'refused'], { webhooks: 1 });
  await recordOutcomes(ctx, made);
  expect((await stateAfter(made)).hooks).toEqual([
    {
      since: 'now',
      givenUp: 1,
      disabled: false,
      disabledReason: null,
      lastFailure: 'the receiver answered 500',
    },
  ]);
});

test('two processes that write the results of the same deliveries wait for each other, never both', async () => {
  const made = await begunFor(Array<Ending>(40).fill('accepted'), { webhooks: 4 });
  const backwards = [...made].reverse();
  await Promise.all(Array.from({ length: 8 }, (_, turn) => recordOutcomes(ctx, turn % 2 ? made : backwards)));
  expect(new Set((await stateAfter(made)).deliveries.map(({ state }) => state))).toEqual(new Set(['ok']));
});

test('two processes that begin the same attempts get each of them once, whatever their order', async () => {
  const userId = await account();
  const { id: streamId } = await stream(userId);
  const { id: webhookId } = await webhook(userId);
  for (let count = 0; count < 32; count++) await happen(userId, streamId);
  const [found] = await listDue(ctx, [{ webhookId, most: 32 }]);
  const due = found?.deliveries ?? [];
  expect(due).toHaveLength(32);
  const turns = Array.from({ length: 8 }, (_, turn) =>
    startDeliveries(ctx, turn % 2 ? due : [...due].reverse()),
  );
  const started = (await Promise.all(turns)).flat().map(({ id }) => id);
  expect(started).toHaveLength(32);
  expect(new Set(started).size).toBe(32);
  expect((await deliveriesOf(webhookId)).map(({ attempt }) => attempt)).toEqual(Array(32).fill(1));
  expect(await attemptsOf(webhookId)).toHaveLength(32);
});

test('the result of an attempt that another one followed changes nothing, unless it was accepted', async () => {
  for (const ending of ['refused', 'gone', 'accepted'] as const) {
    const [old] = await begunFor([ending], { webhooks: 1 });
    if (!old) throw new Error('nothing was begun');
    const [row] = await deliveriesOf(old.started.webhookId);
    const [successor] = await startDeliveries(ctx, row ? [row] : []);
    expect(successor?.attempt).toBe(2);
    await recordOutcomes(ctx, [old]);
    const state = ending === 'accepted' ? 'ok' : 'pending';
    expect(await deliveriesOf(old.started.webhookId)).toMatchObject([{ state, attempt: 2 }]);
  }
});

test('a result that can never be written does not keep others from being written', async () => {
  const ending = new AbortController();
  const writer = new OutcomeWriter(ctx, ending.signal);
  const [bad, ...good] = await begunFor(Array<Ending>(5).fill('accepted'));
  if (!bad) throw new Error('nothing was begun');
  // PostgreSQL takes no NUL; nothing that we send should hold one.
  const poisoned = writer.write({ ...bad, outcome: { ...bad.outcome, error: 'a\0b' } });
  // These come while the first is being written, and go together with its repetition.
  const written = good.map((one) => writer.write(one));
  const again = writer.write({ ...bad, outcome: { ...bad.outcome, error: 'a\0b' } });
  expect(await Promise.all(written)).toEqual([null, null, null, null]);
  expect((await stateAfter(good)).deliveries.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
  ending.abort();
  expect(await Promise.all([poisoned, again])).toEqual([null, null]);
  expect((await stateAfter([bad])).deliveries).toMatchObject([{ state: 'pending' }]);
});
