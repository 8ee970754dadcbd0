import { afterEach, expect, test, vi } from 'vitest';
import { followCast, startCasting } from './cast';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  delete window.__onGCastApiAvailable;
});

/** Starts casting with a fake of the Cast API, and returns the URL that the device is asked to play. */
function castToFakeDevice(src: string, duration: number): string | undefined {
  let url: string | undefined;
  const session = {
    status: '',
    addUpdateListener: () => undefined,
    loadMedia: ({ info }: { info: { src: string } }) => (url = info.src),
  };
  const api = {
    SessionRequest: Object,
    ApiConfig: Object,
    initialize: () => undefined,
    requestSession: (onStarted: (started: typeof session) => void) => onStarted(session),
    media: {
      MediaInfo: class {
        constructor(readonly src: string) {}
      },
      GenericMediaMetadata: Object,
      LoadRequest: class {
        constructor(readonly info: unknown) {}
      },
    },
  };
  vi.stubGlobal('chrome', { cast: api });
  vi.spyOn(document.head, 'append').mockImplementation(() => undefined);
  followCast(() => undefined)();
  window.__onGCastApiAvailable?.(true);
  const video = document.createElement('video');
  Object.defineProperty(video, 'duration', { value: duration });
  startCasting(video, { src, title: 'Town hall', poster: undefined });
  return url;
}

const liveUrl = 'https://cdn.example/hls/abc/index.m3u8';

// `ll=0` requests a playlist without parts, `dvr=1` one that starts before the live window.
test.each([
  [liveUrl, `${liveUrl}?ll=0`],
  [`${liveUrl}?ll=1`, `${liveUrl}?ll=0`],
  [`${liveUrl}?ll=0&token=a%2Bb`, `${liveUrl}?ll=0&token=a%2Bb`],
  [`${liveUrl}?jwt=a.b.c&dvr=1`, `${liveUrl}?jwt=a.b.c&ll=0`],
  [`${liveUrl}?accessKey=k%26l`, `${liveUrl}?accessKey=k%26l&ll=0`],
])('for the live playlist %s, a device plays %s', (src, url) => {
  expect(castToFakeDevice(src, Infinity)).toBe(url);
});

test('a device plays the playlist of an asset with an unchanged URL', () => {
  const assetUrl = 'https://cdn.example/asset/abc/index.m3u8?token=a%2Bb';
  expect(castToFakeDevice(assetUrl, 60)).toBe(assetUrl);
});
