import { expect, test, vi } from 'vitest';
import { unlessAborted } from './unless-aborted';

const neverAborted = new AbortController().signal;

test('the result or error of the work is passed on', async () => {
  expect(await unlessAborted(Promise.resolve('result'), neverAborted)).toBe('result');
  await expect(unlessAborted(Promise.reject(new Error('fault')), neverAborted)).rejects.toThrow('fault');
});

test('an abort ends the wait, and a later result is passed to its handler', async () => {
  const controller = new AbortController();
  let finish = (_result: string): void => undefined;
  const work = new Promise<string>((resolve) => (finish = resolve));
  const onLateResult = vi.fn();
  const result = unlessAborted(work, controller.signal, onLateResult);
  controller.abort();
  expect(await result).toBeNull();
  finish('late');
  await expect.poll(() => onLateResult.mock.calls).toEqual([['late']]);
});

test('the result is null without a wait if the signal has already aborted, and a later error is ignored', async () => {
  let fail = (_error: Error): void => undefined;
  const work = new Promise<string>((_, reject) => (fail = reject));
  expect(await unlessAborted(work, AbortSignal.abort())).toBeNull();
  fail(new Error('late'));
  await new Promise((resolve) => setImmediate(resolve));
});
