import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  laneLimits,
  nextWebhookLimit,
  assignSlots,
  type DeliveryLoad,
  type WaitingWebhook,
} from './delivery-lanes';

const noLoad: DeliveryLoad = {
  quick: 0,
  slow: 0,
  failing: 0,
  quickByTeam: new Map(),
  byWebhook: new Map(),
  ownLimits: new Map(),
};
const createWaiting = (webhookId: string, more: Partial<WaitingWebhook> = {}): WaitingWebhook => ({
  webhookId,
  teamId: 'ada',
  failing: false,
  due: 1,
  ...more,
});
const createManyWaiting = (count: number, more: (index: number) => Partial<WaitingWebhook> = () => ({})) =>
  Array.from({ length: count }, (_, index) => createWaiting(`w${index}`, more(index)));

describe('a webhook', () => {
  test.each([
    ['gets a slot for its due delivery', {}, undefined, 1],
    ['gets at most four slots', { due: 100 }, undefined, 4],
    ['gets the remaining slots of its four', { due: 100 }, { quick: 3, slow: 0 }, 1],
    ['at its limit gets no slot', { due: 100 }, { quick: 4, slow: 0 }, undefined],
    ['with a slow attempt gets no slot', { due: 100 }, { quick: 0, slow: 1 }, undefined],
    ['that is failing gets one slot', { due: 100, failing: true }, undefined, 1],
    ['that is failing gets no second slot', { due: 100, failing: true }, { quick: 0, slow: 1 }, undefined],
  ])('%s', (_name, more, running, expectedSlots) => {
    const byWebhook = new Map(running ? [['w', running]] : []);
    expect(assignSlots({ ...noLoad, byWebhook }, [createWaiting('w', more)]).get('w')).toBe(expectedSlots);
  });
});

describe('limit of one webhook', () => {
  const quickAttempt = { accepted: true, ms: 5 };
  const { perWebhook, maxPerWebhook } = laneLimits;

  test('is the limit of the webhook if it has one of its own', () => {
    const load = {
      ...noLoad,
      ownLimits: new Map([['w', 20]]),
      byWebhook: new Map([['w', { quick: 3, slow: 0 }]]),
    };
    expect(assignSlots(load, [createWaiting('w', { due: 100 }), createWaiting('v', { due: 100 })])).toEqual(
      new Map([
        ['v', perWebhook],
        ['w', 17],
      ]),
    );
    expect(assignSlots(load, [createWaiting('w', { due: 100, failing: true })]).size).toBe(0);
  });

  test('grows by one with each quick response, up to a maximum', () => {
    let limit: number = perWebhook;
    for (let attemptCount = 0; attemptCount < perWebhook; attemptCount++)
      limit = nextWebhookLimit(limit, quickAttempt);
    expect(limit).toBe(2 * perWebhook);
    for (let attemptCount = 0; attemptCount < 1_000; attemptCount++)
      limit = nextWebhookLimit(limit, quickAttempt);
    expect(limit).toBe(maxPerWebhook);
  });

  test.each([
    ['halved by a response after 250 ms', { accepted: true, ms: 300 }, 16],
    ['reset by a slow response', { accepted: true, ms: 1_000 }, 4],
    ['reset by a failure, even a quick one', { accepted: false, ms: 1 }, 4],
  ])('is %s', (_name, attempt, limit) => {
    expect(nextWebhookLimit(32, attempt)).toBe(limit);
    expect(nextWebhookLimit(perWebhook, attempt)).toBe(perWebhook);
  });
});

test('one team cannot take all slots', () => {
  const shares = assignSlots(noLoad, [
    ...createManyWaiting(50, () => ({ due: 4 })),
    createWaiting('other', { teamId: 'eve', due: 4 }),
  ]);
  const slotsOfAda = [...shares].filter(([id]) => id !== 'other').reduce((sum, [, share]) => sum + share, 0);
  expect(slotsOfAda).toBe(laneLimits.quickPerTeam);
  expect(shares.get('other')).toBe(4);
});

test('webhooks without running attempts come first', () => {
  const quickByTeam = new Map([['ada', laneLimits.quickPerTeam - 1]]);
  const byWebhook = new Map([['w0', { quick: 1, slow: 0 }]]);
  expect([...assignSlots({ ...noLoad, quickByTeam, byWebhook }, createManyWaiting(2)).keys()]).toEqual([
    'w1',
  ]);
});

test('failing webhooks have a limited number of slots, and other webhooks still get slots', () => {
  const load = { ...noLoad, failing: laneLimits.failing, slow: laneLimits.failing };
  expect([
    ...assignSlots(load, [createWaiting('bad', { failing: true }), createWaiting('good')]).keys(),
  ]).toEqual(['good']);
});

test('slow attempts above their limit use slots of the quick lane', () => {
  const fullSlowLane = { ...noLoad, slow: laneLimits.slow };
  expect(assignSlots(fullSlowLane, [createWaiting('w')]).size).toBe(1);
  expect(
    assignSlots({ ...fullSlowLane, slow: laneLimits.slow + laneLimits.quick }, [createWaiting('w')]).size,
  ).toBe(0);
});

test('no limit is exceeded for any load', () => {
  const anyWaiting = fc.array(
    fc.record({
      webhookId: fc.uuid(),
      teamId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      failing: fc.boolean(),
      due: fc.integer({ min: 1, max: 1_000 }),
    }),
    { maxLength: 400 },
  );
  const load = fc.record({
    quick: fc.integer({ min: 0, max: 300 }),
    slow: fc.integer({ min: 0, max: 900 }),
    failing: fc.integer({ min: 0, max: 300 }),
  });
  fc.assert(
    fc.property(load, anyWaiting, (counts, webhooks) => {
      const shares = assignSlots({ ...noLoad, ...counts }, webhooks);
      const sumOf = (chosenWebhooks: readonly WaitingWebhook[]) =>
        chosenWebhooks.reduce((sum, { webhookId }) => sum + (shares.get(webhookId) ?? 0), 0);
      const startedAttempts = sumOf(webhooks);
      if (startedAttempts > 0) {
        expect(
          counts.quick + startedAttempts + Math.max(0, counts.slow - laneLimits.slow),
        ).toBeLessThanOrEqual(laneLimits.quick);
      }
      const failing = sumOf(webhooks.filter((item) => item.failing));
      if (failing > 0) expect(counts.failing + failing).toBeLessThanOrEqual(laneLimits.failing);
      for (const teamId of new Set(webhooks.map(({ teamId }) => teamId))) {
        const ownWebhooks = webhooks.filter((webhook) => webhook.teamId === teamId);
        expect(sumOf(ownWebhooks)).toBeLessThanOrEqual(laneLimits.quickPerTeam);
      }
    }),
  );
});
