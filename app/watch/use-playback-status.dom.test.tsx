import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PlaybackStatus } from '@/lib/contract/streams/playback';
import { usePlaybackStatus } from '@/lib/client/use-playback-status';

const liveStatus: PlaybackStatus = { live: true, viewers: 3, startedAt: 0, endedAt: null };
const advanceClock = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** Responses to the next requests; without any, the stream is live. */
let responses: Response[];
let requestCount: number;

beforeEach(() => {
  vi.useFakeTimers();
  [responses, requestCount] = [[], 0];
  vi.stubGlobal('fetch', () => {
    requestCount += 1;
    return Promise.resolve(responses.shift() ?? Response.json(liveStatus));
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('after a 404, the status is not requested until the viewer returns to the page, then every 8 s', async () => {
  responses = [new Response(null, { status: 404 })];
  const { result } = renderHook(() => usePlaybackStatus('a'.repeat(16), liveStatus));
  await advanceClock(60_000);
  expect([requestCount, result.current]).toEqual([1, null]);
  // The page is visible in jsdom, so the event means that the viewer has returned.
  document.dispatchEvent(new Event('visibilitychange'));
  await advanceClock(0);
  expect([requestCount, result.current]).toEqual([2, liveStatus]);
  await advanceClock(17_000);
  expect(requestCount).toBe(4);
});
