import { expect, test } from 'vitest';
import { takeGuess } from './guess';
import { createLimiters, limitSizes } from './rate-limit';

const small = () =>
  createLimiters({
    ...limitSizes,
    password: { points: 5, seconds: 60 },
    reveal: { points: 3, seconds: 3_600 },
  });

test('of many guesses at the same moment only so many as the limit allows may be looked at', async () => {
  const limiters = small();
  const guesses = await Promise.all(
    Array.from({ length: 200 }, () => takeGuess(limiters, [['password', 'a']])),
  );
  expect(guesses.filter(({ refused }) => refused === null)).toHaveLength(5);
});

test('one that was right is given back, also after others were refused', async () => {
  const limiters = small();
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () => takeGuess(limiters, [['password', 'a']])),
  );
  await guesses.find(({ refused }) => refused === null)?.giveBack();
  expect((await takeGuess(limiters, [['password', 'a']])).refused).toBeNull();
  expect((await takeGuess(limiters, [['password', 'a']])).refused).not.toBeNull();
});

test('a refusal counts nowhere, and tells the longest wait', async () => {
  const limiters = small();
  const both = [
    ['password', 'a'],
    ['reveal', 'b'],
  ] as const;
  for (let taken = 0; taken < 5; taken += 1) await takeGuess(limiters, [['password', 'a']]);
  const shorter = await takeGuess(limiters, both);
  expect(shorter.refused?.reset).toBeLessThanOrEqual(60);
  for (let taken = 0; taken < 3; taken += 1)
    expect((await takeGuess(limiters, [['reveal', 'b']])).refused).toBeNull();
  expect((await takeGuess(limiters, both)).refused?.reset).toBeGreaterThan(3_000);
});
