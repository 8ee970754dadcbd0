import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  deliveryEvents,
  deliveryStateAfter,
  deliveryStates,
  deliveryStatesBefore,
  shouldDisable,
  nextDeliveryState,
  type DeliveryState,
} from './delivery-state';

describe('every state and event', () => {
  test.each([
    ['pending', ['ok', 'pending', 'failed', 'failed', 'skipped', 'pending', null]],
    ['ok', ['ok', null, null, null, null, 'pending', null]],
    ['failed', ['ok', null, null, null, null, 'pending', 'pending']],
    ['skipped', ['ok', null, null, null, null, 'pending', 'pending']],
  ] as const)('%s', (state, expected) => {
    expect(deliveryEvents.map((event) => nextDeliveryState(state, event))).toEqual(expected);
  });

  test('deliveryStatesBefore names the states that an event changes', () => {
    for (const event of deliveryEvents)
      for (const state of deliveryStates)
        expect(deliveryStatesBefore(event).includes(state)).toBe(
          nextDeliveryState(state, event) === deliveryStateAfter(event),
        );
  });
});

test('what was accepted stays accepted until somebody asks for it again', () => {
  const events = fc.array(fc.constantFrom(...deliveryEvents.filter((event) => event !== 'resent')));
  fc.assert(
    fc.property(events, (happened) => {
      let state: DeliveryState = 'pending';
      let accepted = false;
      for (const event of happened) {
        state = nextDeliveryState(state, event) ?? state;
        accepted ||= event === 'accepted';
        expect(state === 'ok').toBe(accepted);
      }
    }),
  );
});

test.each([
  [null, 0, false],
  [null, 100, false],
  [72 * 3_600_000 - 1, 100, false],
  [72 * 3_600_000, 19, false],
  [72 * 3_600_000, 20, true],
])('failing for %s ms with %s given up: hopeless is %s', (failingForMs, givenUp, hopeless) => {
  expect(shouldDisable({ failingForMs, givenUp })).toBe(hopeless);
});
