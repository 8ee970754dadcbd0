import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createLogger } from '@/lib/infra/logger';
import { runPeriodically } from './run-periodically';

const log = createLogger('test', 'silent');

test('runs immediately, then after every interval until it is closed', async () => {
  const work = vi.fn(() => Promise.resolve());
  const task = runPeriodically(10, 'work', log, work);
  await expect.poll(() => work.mock.calls.length).toBeGreaterThan(2);
  await task.close();
  const { length } = work.mock.calls;
  await delay(40);
  expect(work).toHaveBeenCalledTimes(length);
});

test('runs never overlap, and several calls of runNow() during a run start one more run after it', async () => {
  let runningCount = 0;
  let maxRunning = 0;
  const work = vi.fn(async () => {
    maxRunning = Math.max(maxRunning, ++runningCount);
    await delay(100);
    runningCount -= 1;
  });
  const task = runPeriodically(60_000, 'work', log, work);
  await expect.poll(() => work).toHaveBeenCalledTimes(1);
  for (let i = 0; i < 5; i++) task.runNow();
  await expect.poll(() => work).toHaveBeenCalledTimes(2);
  await delay(150);
  expect([maxRunning, work.mock.calls.length]).toEqual([1, 2]);
  await task.close();
});

test('slows down while its condition holds, and runs immediately after runNow()', async () => {
  let [checkCount, isSlow] = [0, true];
  const when = () => {
    checkCount += 1;
    return isSlow;
  };
  const work = vi.fn(() => Promise.resolve());
  const task = runPeriodically(1, 'work', log, work, { ms: 60_000, when });
  await expect.poll(() => checkCount).toBeGreaterThan(5);
  expect(work).toHaveBeenCalledTimes(1);
  task.runNow();
  await expect.poll(() => work).toHaveBeenCalledTimes(2);
  isSlow = false;
  await expect.poll(() => work.mock.calls.length).toBeGreaterThan(4);
  await task.close();
});

test('runs again after the longer interval while its condition holds, and does not slow down after a failure', async () => {
  const work = vi.fn(() => Promise.resolve());
  const task = runPeriodically(1, 'work', log, work, { ms: 5, when: () => true });
  await expect.poll(() => work.mock.calls.length).toBeGreaterThan(2);
  await task.close();
  const failingWork = vi.fn(() => Promise.reject(new Error('away')));
  const retryingTask = runPeriodically(1, 'work', log, failingWork, { ms: 60_000, when: () => true });
  await expect.poll(() => failingWork.mock.calls.length).toBeGreaterThan(2);
  await retryingTask.close();
});

test('runNow() between two runs does not wait for the interval', async () => {
  const work = vi.fn(() => Promise.resolve());
  const task = runPeriodically(60_000, 'work', log, work);
  await expect.poll(() => work).toHaveBeenCalledTimes(1);
  await delay(5);
  task.runNow();
  await expect.poll(() => work).toHaveBeenCalledTimes(2);
  await task.close();
  task.runNow();
  await delay(5);
  expect(work).toHaveBeenCalledTimes(2);
});

test('continues after failures, and logs one warning and one recovery', async () => {
  const spyLog = { ...log, warn: vi.fn(), info: vi.fn() } as unknown as typeof log;
  let runCount = 0;
  const task = runPeriodically(1, 'work', spyLog, () =>
    ++runCount < 5 ? Promise.reject(new Error('away')) : Promise.resolve(),
  );
  await expect.poll(() => runCount).toBeGreaterThan(6);
  await task.close();
  expect(spyLog.warn).toHaveBeenCalledTimes(1);
  expect(spyLog.info).toHaveBeenCalledTimes(1);
});

test('close waits for the current run', async () => {
  let isDone = false;
  const task = runPeriodically(1, 'work', log, async () => {
    await delay(20);
    isDone = true;
  });
  await delay(5);
  await task.close();
  expect(isDone).toBe(true);
});
