import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { laneLimits, limitAfter, shareSlots, type Load, type WaitingWebhook } from './delivery-lanes';

const idle: Load = {
  quick: 0,
  slow: 0,
  failing: 0,
  quickByTeam: new Map(),
  byWebhook: new Map(),
  ownLimits: new Map(),
};
const hook = (webhookId: string, more: Partial<WaitingWebhook> = {}): WaitingWebhook => ({
  webhookId,
  teamId: 'ada',
  failing: false,
  due: 1,
  ...more,
});
const many = (count: number, more: (index: number) => Partial<WaitingWebhook> = () => ({})) =>
  Array.from({ length: count }, (_, index) => hook(`w${index}`, more(index)));

describe('slots of a webhook', () => {
  test.each([
    ['gets a slot for its due delivery', {}, undefined, 1],
    ['gets at most four slots', { due: 100 }, undefined, 4],
    ['gets the remaining slots of its four', { due: 100 }, { quick: 3, slow: 0 }, 1],
    ['at its limit gets no slot', { due: 100 }, { quick: 4, slow: 0 }, undefined],
    ['with a slow attempt gets no slot', { due: 100 }, { quick: 0, slow: 1 }, undefined],
    ['that is failing gets one slot', { due: 100, failing: true }, undefined, 1],
    ['that is failing gets no second slot', { due: 100, failing: true }, { quick: 0, slow: 1 }, undefined],
  ])('%s', (_name, more, running, share) => {
    const byWebhook = new Map(running ? [['w', running]] : []);
    expect(shareSlots({ ...idle, byWebhook }, [hook('w', more)]).get('w')).toBe(share);
  });
});

describe('limit of one webhook', () => {
  const quick = { accepted: true, ms: 5 };
  const { perWebhook, maxPerWebhook } = laneLimits;

  test('is its own limit if set', () => {
    const load = {
      ...idle,
      ownLimits: new Map([['w', 20]]),
      byWebhook: new Map([['w', { quick: 3, slow: 0 }]]),
    };
    expect(shareSlots(load, [hook('w', { due: 100 }), hook('v', { due: 100 })])).toEqual(
      new Map([
        ['v', perWebhook],
        ['w', 17],
      ]),
    );
    expect(shareSlots(load, [hook('w', { due: 100, failing: true })]).size).toBe(0);
  });

  test('grows by one with each quick response, up to a maximum', () => {
    let limit: number = perWebhook;
    for (let endedAttempts = 0; endedAttempts < perWebhook; endedAttempts++) limit = limitAfter(limit, quick);
    expect(limit).toBe(2 * perWebhook);
    for (let endedAttempts = 0; endedAttempts < 1_000; endedAttempts++) limit = limitAfter(limit, quick);
    expect(limit).toBe(maxPerWebhook);
  });

  test.each([
    ['halved by a response after 250 ms', { accepted: true, ms: 300 }, 16],
    ['reset by a slow response', { accepted: true, ms: 1_000 }, 4],
    ['reset by a failure, even a quick one', { accepted: false, ms: 1 }, 4],
  ])('is %s', (_name, endedAttempts, limit) => {
    expect(limitAfter(32, endedAttempts)).toBe(limit);
    expect(limitAfter(perWebhook, endedAttempts)).toBe(perWebhook);
  });
});

test('one team cannot take all slots', () => {
  const shares = shareSlots(idle, [
    ...many(50, () => ({ due: 4 })),
    hook('other', { teamId: 'eve', due: 4 }),
  ]);
  const ofAda = [...shares].filter(([id]) => id !== 'other').reduce((sum, [, share]) => sum + share, 0);
  expect(ofAda).toBe(laneLimits.quickPerTeam);
  expect(shares.get('other')).toBe(4);
});

test('webhooks without running attempts come first', () => {
  const quickByTeam = new Map([['ada', laneLimits.quickPerTeam - 1]]);
  const byWebhook = new Map([['w0', { quick: 1, slow: 0 }]]);
  expect([...shareSlots({ ...idle, quickByTeam, byWebhook }, many(2)).keys()]).toEqual(['w1']);
});

test('failing webhooks have a limited number of slots, and others still get one', () => {
  const load = { ...idle, failing: laneLimits.failing, slow: laneLimits.failing };
  expect([...shareSlots(load, [hook('bad', { failing: true }), hook('good')]).keys()]).toEqual(['good']);
});

test('slow attempts beyond their limit use the slots of quick ones', () => {
  const full = { ...idle, slow: laneLimits.slow };
  expect(shareSlots(full, [hook('w')]).size).toBe(1);
  expect(shareSlots({ ...full, slow: laneLimits.slow + laneLimits.quick }, [hook('w')]).size).toBe(0);
});

test('the limits hold for every load', () => {
  const waiting = fc.array(
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
    fc.property(load, waiting, (counts, hooks) => {
      const shares = shareSlots({ ...idle, ...counts }, hooks);
      const sumOf = (chosenWebhooks: readonly WaitingWebhook[]) =>
        chosenWebhooks.reduce((sum, { webhookId }) => sum + (shares.get(webhookId) ?? 0), 0);
      const startedAttempts = sumOf(hooks);
      if (startedAttempts > 0) {
        expect(
          counts.quick + startedAttempts + Math.max(0, counts.slow - laneLimits.slow),
        ).toBeLessThanOrEqual(laneLimits.quick);
      }
      const failing = sumOf(hooks.filter((item) => item.failing));
      if (failing > 0) expect(counts.failing + failing).toBeLessThanOrEqual(laneLimits.failing);
      for (const user of new Set(hooks.map(({ teamId }) => teamId))) {
        const ownWebhooks = hooks.filter(({ teamId }) => teamId === user);
        expect(sumOf(ownWebhooks)).toBeLessThanOrEqual(laneLimits.quickPerTeam);
      }
    }),
  );
});
