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

  test('deliveryStatesBefore returns the states in which an event is allowed', () => {
    for (const event of deliveryEvents)
      for (const state of deliveryStates)
        expect(deliveryStatesBefore(event).includes(state)).toBe(
          nextDeliveryState(state, event) === deliveryStateAfter(event),
        );
  });
});

test('an accepted delivery stays accepted until it is resent', () => {
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
])('failing for %s ms with %s failed deliveries: disabled is %s', (failingForMs, givenUp, disabled) => {
  expect(shouldDisable({ failingForMs, givenUp })).toBe(disabled);
});
