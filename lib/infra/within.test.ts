import { expect, test } from 'vitest';
import { within } from './within';

const never = new Promise<string>(() => undefined);

test('work in time gives its result, or its error', async () => {
  expect(await within(60_000, Promise.resolve('done'))).toBe('done');
  await expect(within(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('work that takes longer gives what was chosen for that, or a time-out', async () => {
  expect(await within(1, never, () => null)).toBeNull();
  await expect(within(1, never)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

test('work without a result is not late', async () => {
  expect(await within(60_000, Promise.resolve(undefined), () => 'late')).toBeUndefined();
});
