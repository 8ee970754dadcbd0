import { expect, test } from 'vitest';
import { Semaphore } from './semaphore';

test('only so many at once, in the order they came, also after a fault', async () => {
  const slots = new Semaphore(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const all = [0, 1, 2, 3, 4].map((index) =>
    slots.take(async () => {
      begun.push(index);
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
      if (index === 1) throw new Error('a fault');
      return index;
    }),
  );
  const settled = Promise.allSettled(all);
  for (let ended = 0; ended < 5; ended++) {
    while (ends.length <= ended) await Promise.resolve();
    ends[ended]?.();
  }
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    ...['fulfilled', 'fulfilled', 'fulfilled'],
  ]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(2);
  expect(await slots.take(() => Promise.resolve('free'))).toBe('free');
});
