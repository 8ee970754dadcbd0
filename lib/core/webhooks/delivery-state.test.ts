import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deliveryMachine, shouldDisable, type DeliveryState } from './delivery-state';

test('an accepted delivery stays accepted until it is resent', () => {
  const events = fc.array(fc.constantFrom(...deliveryMachine.events.filter((event) => event !== 'resent')));
  fc.assert(
    fc.property(events, (history) => {
      let state: DeliveryState = 'pending';
      let accepted = false;
      for (const event of history) {
        state = deliveryMachine.nextState(state, event) ?? state;
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
