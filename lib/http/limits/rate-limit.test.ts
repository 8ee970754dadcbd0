import { expect, test } from 'vitest';
import { createLimiters, limitHeaders, limitSizes, consumeGuess, tooMany } from './rate-limit';

const smallLimiters = () =>
  createLimiters({
    ...limitSizes,
    password: { points: 5, seconds: 60 },
    reveal: { points: 3, seconds: 3_600 },
  });

test('concurrent guesses are checked only up to the limit', async () => {
  const limiters = smallLimiters();
  const guesses = await Promise.all(
    Array.from({ length: 200 }, () => consumeGuess(limiters, [['password', 'a']])),
  );
  expect(guesses.filter(({ rejected }) => rejected === null)).toHaveLength(5);
});

test('after a guess is refunded, one more guess is admitted', async () => {
  const limiters = smallLimiters();
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () => consumeGuess(limiters, [['password', 'a']])),
  );
  await guesses.find(({ rejected }) => rejected === null)?.refund();
  expect((await consumeGuess(limiters, [['password', 'a']])).rejected).toBeNull();
  expect((await consumeGuess(limiters, [['password', 'a']])).rejected).not.toBeNull();
});

test('a rejected guess counts against no limit and reports the longest wait', async () => {
  const limiters = smallLimiters();
  const both = [
    ['password', 'a'],
    ['reveal', 'b'],
  ] as const;
  for (let count = 0; count < 5; count += 1) await consumeGuess(limiters, [['password', 'a']]);
  const shorter = await consumeGuess(limiters, both);
  expect(shorter.rejected?.reset).toBeLessThanOrEqual(60);
  for (let count = 0; count < 3; count += 1)
    expect((await consumeGuess(limiters, [['reveal', 'b']])).rejected).toBeNull();
  expect((await consumeGuess(limiters, both)).rejected?.reset).toBeGreaterThan(3_000);
});

const limiters = () => createLimiters({ ...limitSizes, api: { points: 2, seconds: 60 } });

test('points are counted per limit and key, and requests above the limit are rejected', async () => {
  const { consume: take } = limiters();
  const states = [await take('api', 'a'), await take('api', 'a'), await take('api', 'a')];
  expect(states.map(({ remaining, exceeded }) => [remaining, exceeded])).toEqual([
    [1, false],
    [0, false],
    [0, true],
  ]);
  expect((await take('api', 'b')).exceeded).toBe(false);
  expect((await take('reveal', 'a')).exceeded).toBe(false);
});

test('refunded points can be used again, but never more than were used', async () => {
  const { refund: giveBack, consume: take } = limiters();
  await giveBack('api', 'a');
  await take('api', 'a');
  await take('api', 'a');
  await giveBack('api', 'a');
  expect(await take('api', 'a')).toMatchObject({ remaining: 0, exceeded: false });
  expect((await take('api', 'a')).exceeded).toBe(true);
});

test('headers contain the limit and the remaining points, and Retry-After is at least 1 s', async () => {
  const { consume: take } = limiters();
  const state = await take('api', 'a');
  expect(limitHeaders(state)).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
  expect(state.reset).toBeGreaterThan(55);
  const rejection = tooMany({ ...state, reset: 0 }, 'requests');
  expect(rejection).toMatchObject({ code: 'rate_limited', retryAfter: 1 });
});
