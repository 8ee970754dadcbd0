import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Timers } from './timers';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('runs an action after its delay, and no action after stop()', () => {
  const timers = new Timers();
  const action = vi.fn();
  timers.schedule(10, action);
  vi.advanceTimersByTime(10);
  expect(action).toHaveBeenCalledOnce();
  timers.schedule(10, action);
  timers.stop();
  timers.schedule(10, action);
  vi.advanceTimersByTime(100);
  expect(action).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
