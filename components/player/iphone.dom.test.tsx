import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MessagesProvider } from '@/components/i18n/messages';
import { en } from '@/messages/en';
import { Player } from './player';

/** User agent of Safari on an iPhone, which has special rules for video. */
const userAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const src = 'https://cdn.example/hls/abcd1234efgh5678/index.m3u8';
const playlist = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000\nsource/index.m3u8\n';

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(playlist)));
  vi.stubGlobal('WebKitPlaybackTargetAvailabilityEvent', vi.fn());
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockImplementation((type) =>
    type === 'application/vnd.apple.mpegurl' ? 'maybe' : '',
  );
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function renderPlayer(): HTMLVideoElement {
  const { container } = render(
    <MessagesProvider language="en" messages={en}>
      <Player src={src} live title="Sunday service" />
    </MessagesProvider>,
  );
  const video = container.querySelector('video');
  if (!video) throw new Error('a player has a video');
  return video;
}

// iOS 17.1 added the constructor ManagedMediaSource.
test.each([
  ['before iOS 17.1', []],
  ['since iOS 17.1', ['ManagedMediaSource']],
] as const)(
  'the video plays inline with the HLS player of the iPhone, %s',
  async (_version, constructors) => {
    for (const name of constructors) vi.stubGlobal(name, vi.fn());
    const video = renderPlayer();
    // Without this attribute, the video plays in full screen only.
    expect(video.hasAttribute('playsinline')).toBe(true);
    // Only a muted video may start without a tap.
    expect(video.muted).toBe(true);
    await waitFor(() => expect(video.src).toBe(src));
  },
);
