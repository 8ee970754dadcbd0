import { expect, test } from 'vitest';
import { commandOf, nextSpeed, playerShortcuts } from './shortcuts';

test.each([
  [' ', { name: 'play' }],
  ['K', { name: 'play' }],
  ['j', { name: 'seek', seconds: -10 }],
  ['l', { name: 'seek', seconds: 10 }],
  ['ArrowRight', { name: 'seek', seconds: 5 }],
  ['0', { name: 'seek-to', share: 0 }],
  ['9', { name: 'seek-to', share: 0.9 }],
  ['Home', { name: 'start' }],
  ['?', { name: 'help' }],
  ['Escape', undefined],
  ['x', undefined],
])('%s', (key, command) => expect(commandOf(key)).toEqual(command));

test('no key has two meanings', () => {
  const keys = playerShortcuts.flatMap(({ commands }) => Object.keys(commands));
  expect(new Set(keys).size).toBe(keys.length);
});

test.each([
  [1, 1, 1.25],
  [1, -1, 0.75],
  [2, 1, 2],
  [0.5, -1, 0.5],
  [1.05, -1, 1],
] as const)('from %d in direction %d: %d', (speed, direction, next) =>
  expect(nextSpeed(speed, direction)).toBe(next),
);
