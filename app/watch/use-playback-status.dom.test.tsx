import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PlaybackStatus } from '@/lib/contract/streams/playback';
import { usePlaybackStatus } from '@/lib/client/use-playback-status';

const live = { isActive: true } as unknown as PlaybackStatus;
const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
let responses: Response[];
let requests: number;

beforeEach(() => {
  vi.useFakeTimers();
  [responses, requests] = [[], 0];
  vi.stubGlobal('fetch', () => {
    requests += 1;
    return Promise.resolve(responses.shift() ?? Response.json(live));
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a withdrawn stream is not followed until the viewer returns, then it is followed again', async () => {
  responses = [new Response(null, { status: 404 })];
  const { result } = renderHook(() => usePlaybackStatus('a'.repeat(16), live));
  await after(60_000);
  expect([requests, result.current]).toEqual([1, null]);
  document.dispatchEvent(new Event('visibilitychange'));
  await after(0);
  expect([requests, result.current]).toEqual([2, live]);
  await after(17_000);
  expect(requests).toBe(4);
});
