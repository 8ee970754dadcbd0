import { expect, test } from 'vitest';
import { within } from './within';

const pendingWork = new Promise<string>(() => undefined);

test('work in time returns its result or error', async () => {
  expect(await within(60_000, Promise.resolve('done'))).toBe('done');
  await expect(within(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('late work returns the chosen value or a timeout error', async () => {
  expect(await within(1, pendingWork, () => null)).toBeNull();
  await expect(within(1, pendingWork)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});

test('work that resolves to undefined is not late', async () => {
  expect(await within(60_000, Promise.resolve(undefined), () => 'late')).toBeUndefined();
});
