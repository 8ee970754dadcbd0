import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Timers } from './timers';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('runs an action later, and none after it was stopped', () => {
  const timers = new Timers();
  const action = vi.fn();
  timers.after(10, action);
  vi.advanceTimersByTime(10);
  expect(action).toHaveBeenCalledOnce();
  timers.after(10, action);
  timers.stop();
  timers.after(10, action);
  vi.advanceTimersByTime(100);
  expect(action).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
