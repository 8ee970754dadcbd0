import { expect, test } from 'vitest';
import { createLimiters, limitHeaders, limitSizes, consumeGuess, createTooManyError } from './rate-limit';

/** Limiters with five passwords per minute and three reveals per hour. */
const createSmallLimiters = () =>
  createLimiters({
    ...limitSizes,
    password: { points: 5, seconds: 60 },
    reveal: { points: 3, seconds: 3_600 },
  });

test('concurrent guesses are checked only up to the limit', async () => {
  const limiters = createSmallLimiters();
  const guesses = await Promise.all(
    Array.from({ length: 200 }, () => consumeGuess(limiters, [['password', 'a']])),
  );
  expect(guesses.filter(({ exceededLimit }) => exceededLimit === null)).toHaveLength(5);
});

test('after a guess is refunded, one more guess is admitted', async () => {
  const limiters = createSmallLimiters();
  const guesses = await Promise.all(
    Array.from({ length: 20 }, () => consumeGuess(limiters, [['password', 'a']])),
  );
  await guesses.find(({ exceededLimit }) => exceededLimit === null)?.refund();
  expect((await consumeGuess(limiters, [['password', 'a']])).exceededLimit).toBeNull();
  expect((await consumeGuess(limiters, [['password', 'a']])).exceededLimit).not.toBeNull();
});

test('a guess that one limit rejects does not count against the other, and the longest wait is reported', async () => {
  const limiters = createSmallLimiters();
  const bothLimits = [
    ['password', 'a'],
    ['reveal', 'b'],
  ] as const;
  for (let count = 0; count < 5; count += 1) await consumeGuess(limiters, [['password', 'a']]);
  const firstRejection = await consumeGuess(limiters, bothLimits);
  expect(firstRejection.exceededLimit?.resetSeconds).toBeLessThanOrEqual(60);
  for (let count = 0; count < 3; count += 1)
    expect((await consumeGuess(limiters, [['reveal', 'b']])).exceededLimit).toBeNull();
  expect((await consumeGuess(limiters, bothLimits)).exceededLimit?.resetSeconds).toBeGreaterThan(3_000);
});

/** Limiters with two API requests per minute. */
const createApiLimiters = () => createLimiters({ ...limitSizes, api: { points: 2, seconds: 60 } });

test('points are counted per limit and key, and requests above the limit are rejected', async () => {
  const { consume } = createApiLimiters();
  const states = [await consume('api', 'a'), await consume('api', 'a'), await consume('api', 'a')];
  expect(states.map(({ remaining, exceeded }) => [remaining, exceeded])).toEqual([
    [1, false],
    [0, false],
    [0, true],
  ]);
  expect((await consume('api', 'b')).exceeded).toBe(false);
  expect((await consume('reveal', 'a')).exceeded).toBe(false);
});

test('refunded points can be used again, but never more than were used', async () => {
  const { refund, consume } = createApiLimiters();
  await refund('api', 'a');
  await consume('api', 'a');
  await consume('api', 'a');
  await refund('api', 'a');
  expect(await consume('api', 'a')).toMatchObject({ remaining: 0, exceeded: false });
  expect((await consume('api', 'a')).exceeded).toBe(true);
});

test('headers contain the limit and the remaining points, and Retry-After is at least 1 s', async () => {
  const { consume } = createApiLimiters();
  const state = await consume('api', 'a');
  expect(limitHeaders(state)).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
  expect(state.resetSeconds).toBeGreaterThan(55);
  const rejection = createTooManyError({ ...state, resetSeconds: 0 }, 'requests');
  expect(rejection).toMatchObject({ code: 'rate_limited', retryAfter: 1 });
});
