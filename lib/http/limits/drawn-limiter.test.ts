import { RateLimiterMemory } from 'rate-limiter-flexible';
import { expect, test, vi } from 'vitest';
import { DrawnLimiter } from './drawn-limiter';

const LIMIT = 600;

/** The limiters of several processes with one store, and the calls of the store. */
function createLimiters(processCount: number, points = LIMIT, durationSeconds = 60) {
  const store = new RateLimiterMemory({ points, duration: durationSeconds });
  const consumeCalls = vi.spyOn(store, 'consume');
  return {
    consumeCalls,
    limiters: Array.from({ length: processCount }, () => new DrawnLimiter(store, points)),
  };
}

/**
 * Consumes points concurrently.
 * @returns the number of accepted requests
 */
async function countAccepted(limiter: DrawnLimiter | undefined, requestCount: number): Promise<number> {
  const results = await Promise.all(
    Array.from({ length: requestCount }, async () => limiter?.consume('key')),
  );
  return results.filter((result) => result && !result.exceeded).length;
}

test('one process accepts exactly the limit, with fewer than an eighth as many store calls', async () => {
  const { consumeCalls, limiters } = createLimiters(1);
  expect(await countAccepted(limiters[0], LIMIT - 1)).toBe(LIMIT - 1);
  expect(await countAccepted(limiters[0], 50)).toBe(1);
  expect(consumeCalls.mock.calls.length).toBeLessThan(LIMIT / 8);
});

test('several processes together accept exactly the limit', async () => {
  const { limiters } = createLimiters(8);
  let acceptedCount = 0;
  for (let round = 0; round < 200; round += 1)
    for (const limiter of limiters) acceptedCount += await countAccepted(limiter, 1);
  expect(acceptedCount).toBe(LIMIT);
});

test('after a process stops, the others can spend all points that it had not drawn', async () => {
  const { limiters } = createLimiters(2);
  expect(await countAccepted(limiters[0], 1)).toBe(1);
  // The first process drew a tenth.
  expect(await countAccepted(limiters[1], 2 * LIMIT)).toBe(LIMIT - LIMIT / 10);
});

test('callers get the remaining points of the limit', async () => {
  const { limiters } = createLimiters(1);
  const results = [await limiters[0]?.consume('key'), await limiters[0]?.consume('key')];
  expect(results.map((result) => result?.remainingPoints)).toEqual([LIMIT - 1, LIMIT - 2]);
  expect((await limiters[0]?.consume('another'))?.remainingPoints).toBe(LIMIT - 1);
});

test('the next window starts with the whole limit', async () => {
  const { limiters } = createLimiters(1, 3, 1);
  expect(await countAccepted(limiters[0], 5)).toBe(3);
  await expect.poll(() => countAccepted(limiters[0], 1)).toBe(1);
});

test('a fault of the store fails the request', async () => {
  const limiter = new DrawnLimiter({ consume: () => Promise.reject(new Error('broken')) }, LIMIT);
  await expect(limiter.consume('key')).rejects.toThrow('broken');
});
