import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ViewerSessions } from './viewer-sessions';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openSessions() {
  const sessions = new ViewerSessions({ monotonic: () => Date.now() });
  const close = vi.fn();
  let bytes = 0;
  const end = sessions.open({ sessionId: 'a', close }, () => bytes);
  return { sessions, close, end, send: (more: number) => (bytes += more) };
}

test('each byte is reported once, the last ones after the end', () => {
  const { sessions, end, send } = openSessions();
  send(100);
  expect(sessions.progress(['a', 'b'])).toEqual([{ id: 'a', bytes: 100, isOver: false }]);
  send(20);
  expect(sessions.count).toBe(1);
  end();
  expect(sessions.count).toBe(0);
  expect(sessions.progress(['a'])).toEqual([{ id: 'a', bytes: 20, isOver: true }]);
  expect(sessions.progress(['a'])).toEqual([]);
});

test('a viewer that no origin asks for is disconnected', () => {
  const { sessions, close } = openSessions();
  vi.advanceTimersByTime(30_000);
  sessions.progress(['a']);
  vi.advanceTimersByTime(40_000);
  expect(close).not.toHaveBeenCalled();
  vi.advanceTimersByTime(20_000);
  expect(close).toHaveBeenCalledOnce();
  expect(sessions.progress(['a'])).toEqual([]);
});
