import { afterEach, expect, test, vi } from 'vitest';
import { createEngine } from './create-engine';
import type { EngineEvents } from './engine';
import { HlsEngine } from './hls-engine';
import { NativeEngine } from './native-engine';
import { WhepEngine } from './whep-engine';

afterEach(() => vi.unstubAllGlobals());

const noop = () => undefined;
const events: EngineEvents = {
  renditions: noop,
  rendition: noop,
  audioTracks: noop,
  sourceLost: noop,
  fatalError: noop,
  fellBack: noop,
  recovered: noop,
};

/** A fake browser: the properties on which the choice of an engine depends. */
interface Browser {
  /** Whether the browser plays HLS playlists itself. */
  readonly canPlayType: CanPlayTypeResult;
  /** Names of constructors in the browser's window. */
  readonly constructors: readonly string[];
}

async function engineNameIn({ canPlayType, constructors }: Browser): Promise<string> {
  for (const name of constructors) vi.stubGlobal(name, vi.fn());
  const video = document.createElement('video');
  video.canPlayType = (type) => (type === 'application/vnd.apple.mpegurl' ? canPlayType : '');
  const options = { hasExtraTracks: false, startAt: undefined, whepUrl: undefined };
  const engine = await createEngine(video, 'https://cdn.example/hls/a/index.m3u8', events, options);
  const name = engine instanceof NativeEngine ? 'native' : engine instanceof HlsEngine ? 'hls.js' : 'none';
  engine.destroy();
  return name;
}

/** Constructor for AirPlay, which WebKit has. */
const airplay = 'WebKitPlaybackTargetAvailabilityEvent';

test.each([
  ['Safari on an iPhone before iOS 17.1', { canPlayType: 'maybe', constructors: [airplay] }, 'native'],
  ['Safari on an iPhone', { canPlayType: 'maybe', constructors: [airplay, 'ManagedMediaSource'] }, 'native'],
  ['Safari on a Mac', { canPlayType: 'maybe', constructors: [airplay, 'MediaSource'] }, 'native'],
  [
    'a browser in an app on an iPhone before iOS 17.1',
    { canPlayType: 'probably', constructors: [] },
    'native',
  ],
  [
    'a browser in an app on an iPhone',
    { canPlayType: 'maybe', constructors: [airplay, 'ManagedMediaSource'] },
    'native',
  ],
  [
    'a browser with only managed media sources',
    { canPlayType: '', constructors: ['ManagedMediaSource'] },
    'hls.js',
  ],
  ['Chrome with an HLS player of its own', { canPlayType: 'maybe', constructors: ['MediaSource'] }, 'hls.js'],
  ['Firefox', { canPlayType: '', constructors: ['MediaSource'] }, 'hls.js'],
] as const)('the engine of %s (%j) is %s', async (_name, browser, engine) => {
  expect(await engineNameIn(browser)).toBe(engine);
});

test('a stream with a WHEP URL plays over WebRTC if the browser supports it, otherwise over HLS', async () => {
  vi.stubGlobal('MediaSource', vi.fn());
  const video = document.createElement('video');
  const options = { hasExtraTracks: false, startAt: undefined, whepUrl: 'https://cdn.example/webrtc/a' };
  const create = () => createEngine(video, 'https://cdn.example/hls/a/index.m3u8', events, options);
  expect(await create()).toBeInstanceOf(HlsEngine);
  vi.stubGlobal('RTCPeerConnection', vi.fn());
  expect(await create()).toBeInstanceOf(WhepEngine);
});
