import { expect, test } from 'vitest';
import { Semaphore } from './semaphore';

test('work starts in order of arrival, at most two run at a time, and a failed run frees its slot', async () => {
  const slots = new Semaphore(2);
  const startedIndexes: number[] = [];
  const ends: (() => void)[] = [];
  let running = 0;
  let maxRunning = 0;
  const runs = [0, 1, 2, 3, 4].map((index) =>
    slots.run(async () => {
      startedIndexes.push(index);
      maxRunning = Math.max(maxRunning, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
      if (index === 1) throw new Error('a fault');
      return index;
    }),
  );
  const results = Promise.allSettled(runs);
  for (let endedCount = 0; endedCount < 5; endedCount++) {
    while (ends.length <= endedCount) await Promise.resolve();
    ends[endedCount]?.();
  }
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    ...['fulfilled', 'fulfilled', 'fulfilled'],
  ]);
  expect(startedIndexes).toEqual([0, 1, 2, 3, 4]);
  expect(maxRunning).toBe(2);
  expect(await slots.run(() => Promise.resolve('free'))).toBe('free');
});
