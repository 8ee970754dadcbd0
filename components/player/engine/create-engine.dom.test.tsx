import { afterEach, expect, test, vi } from 'vitest';
import { createEngine } from './create-engine';
import type { EngineEvents } from './engine';
import { HlsEngine } from './hls-engine';
import { NativeEngine } from './native-engine';
import { WhepEngine } from './whep-engine';

/** Fake browsers with the properties that the choice of an engine depends on. */

afterEach(() => vi.unstubAllGlobals());

const ignore = () => undefined;
const events: EngineEvents = {
  renditions: ignore,
  rendition: ignore,
  audioTracks: ignore,
  sourceLost: ignore,
  fatalError: ignore,
  fellBack: ignore,
  recovered: ignore,
};

interface Browser {
  readonly canPlayType: CanPlayTypeResult;
  /** Names of constructors in the browser's window. */
  readonly has: readonly string[];
}

async function engineIn({ canPlayType, has }: Browser): Promise<string> {
  for (const name of has) vi.stubGlobal(name, vi.fn());
  const video = document.createElement('video');
  video.canPlayType = (type) => (type === 'application/vnd.apple.mpegurl' ? canPlayType : '');
  const start = { hasTracks: false, startAt: undefined, whep: undefined };
  const engine = await createEngine(video, 'https://cdn.example/hls/a/index.m3u8', events, start);
  const name = engine instanceof NativeEngine ? 'native' : engine instanceof HlsEngine ? 'hls.js' : 'none';
  engine.destroy();
  return name;
}

const airplay = 'WebKitPlaybackTargetAvailabilityEvent';

test.each([
  ['Safari on an iPhone before iOS 17.1', { canPlayType: 'maybe', has: [airplay] }, 'native'],
  ['Safari on an iPhone', { canPlayType: 'maybe', has: [airplay, 'ManagedMediaSource'] }, 'native'],
  ['Safari on a Mac', { canPlayType: 'maybe', has: [airplay, 'MediaSource'] }, 'native'],
  ['a browser in an app on an iPhone before iOS 17.1', { canPlayType: 'probably', has: [] }, 'native'],
  [
    'a browser in an app on an iPhone',
    { canPlayType: 'maybe', has: [airplay, 'ManagedMediaSource'] },
    'native',
  ],
  ['a browser with only managed media sources', { canPlayType: '', has: ['ManagedMediaSource'] }, 'hls.js'],
  ['Chrome with an HLS player of its own', { canPlayType: 'maybe', has: ['MediaSource'] }, 'hls.js'],
  ['Firefox', { canPlayType: '', has: ['MediaSource'] }, 'hls.js'],
] as const)('%s', async (_name, browser, engine) => {
  expect(await engineIn(browser)).toBe(engine);
});

test('a stream requested over WebRTC plays over it if the browser can', async () => {
  vi.stubGlobal('MediaSource', vi.fn());
  const video = document.createElement('video');
  const start = { hasTracks: false, startAt: undefined, whep: 'https://cdn.example/webrtc/a' };
  const play = () => createEngine(video, 'https://cdn.example/hls/a/index.m3u8', events, start);
  expect(await play()).toBeInstanceOf(HlsEngine);
  vi.stubGlobal('RTCPeerConnection', vi.fn());
  expect(await play()).toBeInstanceOf(WhepEngine);
});
