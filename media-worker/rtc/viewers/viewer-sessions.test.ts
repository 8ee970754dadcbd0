import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ViewerSessions } from './viewer-sessions';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openSessions() {
  const sessions = new ViewerSessions({ monotonic: () => Date.now() });
  const close = vi.fn();
  let bytes = 0;
  const markGone = sessions.open({ sessionId: 'a', close }, () => bytes);
  return { sessions, close, markGone, send: (byteCount: number) => (bytes += byteCount) };
}

test('each byte is reported once, and the last bytes after the viewer has left', () => {
  const { sessions, markGone, send } = openSessions();
  send(100);
  expect(sessions.takeProgress(['a', 'b'])).toEqual([{ id: 'a', bytes: 100, isOver: false }]);
  send(20);
  expect(sessions.count).toBe(1);
  markGone();
  expect(sessions.count).toBe(0);
  expect(sessions.takeProgress(['a'])).toEqual([{ id: 'a', bytes: 20, isOver: true }]);
  expect(sessions.takeProgress(['a'])).toEqual([]);
});

test('a viewer that no origin asks about for 45 seconds is disconnected', () => {
  const { sessions, close } = openSessions();
  vi.advanceTimersByTime(30_000);
  sessions.takeProgress(['a']);
  vi.advanceTimersByTime(40_000);
  expect(close).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20_000);
  expect(close).toHaveBeenCalledOnce();
  expect(sessions.takeProgress(['a'])).toEqual([]);
});
