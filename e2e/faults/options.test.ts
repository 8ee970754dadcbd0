import { expect, test } from 'vitest';
import { faultNames, s3FaultNames } from './fault-names';
import { faultSequence } from './faults';
import { readOptions } from './options';
import { Random } from './random';

test('the default is one round of 75 s with six faults of the mix and local storage', () => {
  expect(readOptions([])).toMatchObject({
    rounds: 1,
    storage: 'local',
    roundSeconds: 75,
    faultsPerRound: 6,
    faults: 'mix',
  });
});

test.each([
  [['--storage', 'ftp'], '--storage: expected local or s3'],
  [['--rounds', '0'], '--rounds: expected a whole number from 1 to 1000'],
  [['--round-seconds', ''], '--round-seconds: expected a whole number'],
  [['--faults', 'kill-live,kill-me'], '"kill-me" is none of'],
  [['--faults', 'kill-s3'], '"kill-s3" is none of'],
])('%j is rejected with an error that names the option and the expected values', (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});

test('faults given as an option repeat in their order', () => {
  const options = readOptions(['--faults', 'kill-web,freeze-s3', '--storage', 's3']);
  const names = faultSequence(options, new Random(1));
  expect(Array.from({ length: 3 }, () => names.next().value)).toEqual(['kill-web', 'freeze-s3', 'kill-web']);
});

test('a mix contains every fault once before any fault repeats, and the seed determines its order', () => {
  const takeFaults = (seed: number) => {
    const names = faultSequence(readOptions(['--storage', 's3']), new Random(seed));
    return Array.from({ length: faultNames.length + s3FaultNames.length }, () => names.next().value);
  };
  expect(new Set(takeFaults(1))).toEqual(new Set([...faultNames, ...s3FaultNames]));
  expect(takeFaults(1)).toEqual(takeFaults(1));
  expect(takeFaults(1)).not.toEqual(takeFaults(2));
});
