import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readReports } from '@/lib/core/audience/read-cmcd';
import type { Phase } from '../engine/phases';
import type { PlaybackView } from '../engine/playback-view';
import { useReports } from './use-reports';

const src = (playbackId: string) => `https://cdn.example/hls/${playbackId}/index.m3u8`;
let bodies: string[];

beforeEach(() => {
  bodies = [];
  navigator.sendBeacon = (url, body) => bodies.push(`${String(url)}\n${body as string}`) > 0;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

interface Shown {
  playbackId: string;
  phase: Phase;
}

function openPlayer(autoplay = true) {
  const video = document.createElement('video');
  const facts = () => null;
  return renderHook(
    function usePlayer({ playbackId, phase }: Shown) {
      const view = { phase, latency: null } as PlaybackView;
      return useReports(video, src(playbackId), { enabled: true, view, autoplay, facts });
    },
    { initialProps: { playbackId: 'abc', phase: 'connecting' } },
  );
}

/** URL and states of each request. */
const reported = () =>
  bodies.map((body) => {
    const [url, ...lines] = body.split('\n');
    return [url, ...readReports(lines.join('\n')).reports.map(({ state }) => state)];
  });
const leaveReport = (playbackId: string) => [`https://cdn.example/cmcd/${playbackId}`, 'starting', 'quit'];

test('a view that ends before its first frame is reported when the player plays another video or closes', () => {
  const { rerender, unmount } = openPlayer();
  rerender({ playbackId: 'def', phase: 'connecting' });
  expect(reported()).toEqual([leaveReport('abc')]);
  unmount();
  expect(reported()).toEqual([leaveReport('abc'), leaveReport('def')]);
});

test('a view that was not requested is not reported', () => {
  openPlayer(false).unmount();
  expect(reported()).toEqual([]);
});

test('a player that closes while the code of the reports loads sends no more reports', async () => {
  const fetch = vi.fn(() => Promise.resolve(new Response()));
  vi.stubGlobal('fetch', fetch);
  const { rerender, unmount } = openPlayer();
  rerender({ playbackId: 'abc', phase: 'playing' });
  unmount();
  await vi.dynamicImportSettled();
  expect(fetch).not.toHaveBeenCalled();
});
