import { englishMessages } from '@/components/testing/messages';
import { expect, test } from 'vitest';
import { shortcutRows } from './shortcut-labels';
import { commandOf, commandsByKey } from './shortcuts';
import { nextSpeed } from '../video/speeds';

test.each([
  [' ', { name: 'toggle-play' }],
  ['K', { name: 'toggle-play' }],
  ['j', { name: 'seek', offsetSeconds: -10 }],
  ['l', { name: 'seek', offsetSeconds: 10 }],
  ['ArrowRight', { name: 'seek', offsetSeconds: 5 }],
  ['0', { name: 'seek-to', fraction: 0 }],
  ['9', { name: 'seek-to', fraction: 0.9 }],
  ['Home', { name: 'seek-to-start' }],
  ['?', { name: 'help' }],
  ['Escape', undefined],
  ['x', undefined],
])('the command of the key %j is %j', (key, command) => expect(commandOf(key)).toEqual(command));

test('the list of shortcuts and the commands contain the same keys', () => {
  const printedKeys: Readonly<Record<string, string>> = {
    Space: ' ',
    '←': 'ArrowLeft',
    '→': 'ArrowRight',
    '↑': 'ArrowUp',
    '↓': 'ArrowDown',
  };
  const listedKeys = shortcutRows(englishMessages('player.keys'))
    .flatMap(([keys]) => keys)
    .filter((key) => key !== '–');
  expect(listedKeys.filter((key) => !commandOf(printedKeys[key] ?? key))).toEqual([]);
  // The list shows the ten digits as "0 – 9", which are two keys.
  expect(listedKeys).toHaveLength(Object.keys(commandsByKey).length - 8);
});

// Names that every object inherits.
test.each(['constructor', 'toString'])('%s is not a shortcut', (key) =>
  expect(commandOf(key)).toBeUndefined(),
);

test.each([
  [1, 1, 1.25],
  [1, -1, 0.75],
  [2, 1, 2],
  [0.5, -1, 0.5],
  [1.05, -1, 1],
] as const)('the next speed after %d in direction %d is %d', (speed, direction, next) =>
  expect(nextSpeed(speed, direction)).toBe(next),
);
