import { RateLimiterMemory } from 'rate-limiter-flexible';
import { expect, test, vi } from 'vitest';
import { DrawnLimiter } from './drawn-limiter';

const limit = 600;

/** A store that counts its calls, and the limiters of several processes on it. */
function processes(count: number, points = limit, duration = 60) {
  const store = new RateLimiterMemory({ points, duration });
  const asked = vi.spyOn(store, 'consume');
  return { asked, limiters: Array.from({ length: count }, () => new DrawnLimiter(store, points)) };
}

/** The number of accepted requests among these. */
async function passedRequests(limiter: DrawnLimiter | undefined, requests: number): Promise<number> {
  const results = await Promise.all(Array.from({ length: requests }, async () => limiter?.consume('key')));
  return results.filter((item) => item && !item.exceeded).length;
}

test('one process passes exactly the limit, with far fewer store calls', async () => {
  const { asked, limiters } = processes(1);
  expect(await passedRequests(limiters[0], limit - 1)).toBe(limit - 1);
  expect(await passedRequests(limiters[0], 50)).toBe(1);
  expect(asked.mock.calls.length).toBeLessThan(limit / 8);
});

test('several processes together pass no more than the limit, and nearly all of it', async () => {
  const { limiters } = processes(8);
  let totalPassed = 0;
  for (let round = 0; round < 200; round += 1)
    for (const limiter of limiters) totalPassed += await passedRequests(limiter, 1);
  expect(totalPassed).toBeLessThanOrEqual(limit);
  expect(totalPassed).toBe(limit);
});

test('a process that stops loses only the points it has drawn', async () => {
  const { limiters } = processes(2);
  expect(await passedRequests(limiters[0], 1)).toBe(1);
  expect(await passedRequests(limiters[1], 2 * limit)).toBe(limit - limit / 10);
});

test('callers get the remaining points of the limit', async () => {
  const { limiters } = processes(1);
  const first = await limiters[0]?.consume('key');
  const second = await limiters[0]?.consume('key');
  expect([first?.remainingPoints, second?.remainingPoints]).toEqual([limit - 1, limit - 2]);
  expect((await limiters[0]?.consume('another'))?.remainingPoints).toBe(limit - 1);
});

test('the next window starts with the whole limit', async () => {
  const { limiters } = processes(1, 3, 1);
  expect(await passedRequests(limiters[0], 5)).toBe(3);
  await expect.poll(() => passedRequests(limiters[0], 1)).toBe(1);
});

test('a fault of the store fails the request', async () => {
  const limiter = new DrawnLimiter({ consume: () => Promise.reject(new Error('broken')) }, limit);
  await expect(limiter.consume('key')).rejects.toThrow('broken');
});
