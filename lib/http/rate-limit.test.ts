import { expect, test } from 'vitest';
import { createLimiters, limitHeaders, limitSizes, tooMany } from './rate-limit';

const limiters = () => createLimiters({ ...limitSizes, api: { points: 2, seconds: 60 } });

test('counts down, refuses, and keeps callers apart', async () => {
  const { take } = limiters();
  const states = [await take('api', 'a'), await take('api', 'a'), await take('api', 'a')];
  expect(states.map(({ remaining, exceeded }) => [remaining, exceeded])).toEqual([
    [1, false],
    [0, false],
    [0, true],
  ]);
  expect((await take('api', 'b')).exceeded).toBe(false);
  expect((await take('reveal', 'a')).exceeded).toBe(false);
});

test('what is given back can be taken again, and never more than was taken', async () => {
  const { giveBack, take } = limiters();
  await giveBack('api', 'a');
  await take('api', 'a');
  await take('api', 'a');
  await giveBack('api', 'a');
  expect(await take('api', 'a')).toMatchObject({ remaining: 0, exceeded: false });
  expect((await take('api', 'a')).exceeded).toBe(true);
});

test('says where the caller stands, and when to come back', async () => {
  const { take } = limiters();
  const state = await take('api', 'a');
  expect(limitHeaders(state)).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
  expect(state.reset).toBeGreaterThan(55);
  const refusal = tooMany({ ...state, reset: 0 }, 'requests');
  expect(refusal).toMatchObject({ code: 'rate_limited', retryAfter: 1 });
});
