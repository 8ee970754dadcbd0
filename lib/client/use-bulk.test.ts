import { expect, test } from 'vitest';
import { ApiCallError } from './call';
import { runForEach } from './use-bulk';

const ids = Array.from({ length: 23 }, (_, index) => String(index));

test('each item is processed once, five at a time', async () => {
  const processedIds: string[] = [];
  let runningCount = 0;
  let maxRunningCount = 0;
  const finishedCounts: number[] = [];
  const outcome = await runForEach(
    ids,
    async (id) => {
      maxRunningCount = Math.max(maxRunningCount, ++runningCount);
      await Promise.resolve();
      processedIds.push(id);
      runningCount -= 1;
    },
    { onProgress: (count) => finishedCounts.push(count) },
  );
  expect(processedIds.toSorted()).toEqual(ids.toSorted());
  expect(outcome).toEqual({ succeededIds: expect.arrayContaining(ids) as unknown, failures: [] });
  expect(maxRunningCount).toBe(5);
  expect(finishedCounts).toEqual(ids.map((_, index) => index + 1));
});

test('a failure is reported for its item and does not stop the others', async () => {
  const { succeededIds, failures } = await runForEach(ids, (id) =>
    id === '7' ? Promise.reject(new ApiCallError(404, ['Stream not found'])) : Promise.resolve(),
  );
  expect(succeededIds).toHaveLength(22);
  expect(failures).toEqual([{ id: '7', reason: 'Stream not found' }]);
});

test('a rate-limited item waits as long as the server says, and fails after the maximum number of retries', async () => {
  const delaysMs: number[] = [];
  const sleep = (ms: number) => {
    delaysMs.push(ms);
    return Promise.resolve();
  };
  const createRateLimitError = (retryAfterSeconds: number | null) =>
    new ApiCallError(429, ['Too many requests'], { retryAfterSeconds });
  const errors = [createRateLimitError(12), createRateLimitError(null), createRateLimitError(3600)];
  const work = () => {
    const error = errors.shift();
    return error ? Promise.reject(error) : Promise.resolve();
  };
  expect(await runForEach(['a'], work, { sleep })).toEqual({ succeededIds: ['a'], failures: [] });
  // A second without a delay of the server, and at most a minute.
  expect(delaysMs).toEqual([12_000, 1_000, 60_000]);

  delaysMs.length = 0;
  const { failures } = await runForEach(['a'], () => Promise.reject(createRateLimitError(1)), { sleep });
  expect(failures).toEqual([{ id: 'a', reason: 'Too many requests' }]);
  expect(delaysMs).toHaveLength(5);
});
