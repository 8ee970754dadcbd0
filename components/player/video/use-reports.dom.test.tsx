import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseReports } from '@/lib/core/audience/read-cmcd';
import type { Phase } from '../engine/phases';
import type { PlaybackView } from '../engine/playback-view';
import { useReports } from './use-reports';

const playlistUrlOf = (playbackId: string) => `https://cdn.example/hls/${playbackId}/index.m3u8`;
/** URL and body of each beacon, separated by a line break. */
let sentBeacons: string[];

beforeEach(() => {
  sentBeacons = [];
  navigator.sendBeacon = (url, body) => sentBeacons.push(`${String(url)}\n${body as string}`) > 0;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

interface PlayerState {
  playbackId: string;
  phase: Phase;
}

function openPlayer(autoplay = true) {
  const video = document.createElement('video');
  const facts = () => null;
  return renderHook(
    function usePlayer({ playbackId, phase }: PlayerState) {
      const view = { phase, latency: null } as PlaybackView;
      return useReports(video, playlistUrlOf(playbackId), { enabled: true, view, autoplay, facts });
    },
    { initialProps: { playbackId: 'abc', phase: 'connecting' } },
  );
}

/** URL and reported states of each request. */
const sentReports = () =>
  sentBeacons.map((beacon) => {
    const [url, ...lines] = beacon.split('\n');
    return [url, ...parseReports(lines.join('\n')).reports.map(({ state }) => state)];
  });
const abandonedStart = (playbackId: string) => [`https://cdn.example/cmcd/${playbackId}`, 'starting', 'quit'];

test('a view that ends before its first frame is reported when the player plays another video or closes', () => {
  const { rerender, unmount } = openPlayer();
  rerender({ playbackId: 'def', phase: 'connecting' });
  expect(sentReports()).toEqual([abandonedStart('abc')]);
  unmount();
  expect(sentReports()).toEqual([abandonedStart('abc'), abandonedStart('def')]);
});

test('a view that the viewer did not start is not reported', () => {
  openPlayer(false).unmount();
  expect(sentReports()).toEqual([]);
});

test('a player that closes while the reporting code loads sends no reports with fetch', async () => {
  const fetch = vi.fn(() => Promise.resolve(new Response()));
  vi.stubGlobal('fetch', fetch);
  const { rerender, unmount } = openPlayer();
  rerender({ playbackId: 'abc', phase: 'playing' });
  unmount();
  await vi.dynamicImportSettled();
  expect(fetch).not.toHaveBeenCalled();
});
