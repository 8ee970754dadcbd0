import { expect, test } from 'vitest';
import { ApiError } from './call';
import { runForEach } from './use-bulk';

const ids = Array.from({ length: 23 }, (_, index) => String(index));

test('each item is processed once, five at a time', async () => {
  const results: string[] = [];
  let running = 0;
  let maxRunning = 0;
  const over: number[] = [];
  const outcome = await runForEach(
    ids,
    async (id) => {
      maxRunning = Math.max(maxRunning, ++running);
      await Promise.resolve();
      results.push(id);
      running -= 1;
    },
    { onProgress: (count) => over.push(count) },
  );
  expect(results.toSorted()).toEqual(ids.toSorted());
  expect(outcome).toEqual({ succeededIds: expect.arrayContaining(ids) as unknown, failures: [] });
  expect(maxRunning).toBe(5);
  expect(over).toEqual(ids.map((_, index) => index + 1));
});

test('a failure is reported for its item and does not stop the others', async () => {
  const { succeededIds: done, failures: failed } = await runForEach(ids, (id) =>
    id === '7' ? Promise.reject(new ApiError(404, ['Stream not found'])) : Promise.resolve(),
  );
  expect(done).toHaveLength(22);
  expect(failed).toEqual([{ id: '7', reason: 'Stream not found' }]);
});

test('a rate-limited item waits as long as the server says, and fails after the maximum number of retries', async () => {
  const waits: number[] = [];
  const sleep = (ms: number) => {
    waits.push(ms);
    return Promise.resolve();
  };
  const busy = (retryAfter: number | null) => new ApiError(429, ['Too many requests'], { retryAfter });
  const answers = [busy(12), busy(null), busy(3600)];
  const work = () => {
    const answer = answers.shift();
    return answer ? Promise.reject(answer) : Promise.resolve();
  };
  expect(await runForEach(['a'], work, { sleep })).toEqual({ succeededIds: ['a'], failures: [] });
  expect(waits).toEqual([12_000, 1_000, 60_000]);

  waits.length = 0;
  const { failures: failed } = await runForEach(['a'], () => Promise.reject(busy(1)), { sleep });
  expect(failed).toEqual([{ id: 'a', reason: 'Too many requests' }]);
  expect(waits).toHaveLength(5);
});
