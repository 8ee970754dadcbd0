import { afterEach, expect, test, vi } from 'vitest';
import { followCast, startCasting } from './cast';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  delete window.__onGCastApiAvailable;
});

/** URL that a Chromecast is asked to play. */
function castUrl(src: string, duration: number): string | undefined {
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

const live = 'https://cdn.example/hls/abc/index.m3u8';

test.each([
  [live, `${live}?ll=0`],
  [`${live}?ll=1`, `${live}?ll=0`],
  [`${live}?ll=0&token=a%2Bb`, `${live}?ll=0&token=a%2Bb`],
  [`${live}?jwt=a.b.c&dvr=1`, `${live}?jwt=a.b.c&ll=0`],
  [`${live}?accessKey=k%26l`, `${live}?accessKey=k%26l&ll=0`],
])('a device plays the live playlist %s without parts and with its proof', (src, url) => {
  expect(castUrl(src, Infinity)).toBe(url);
});

test('a device plays an asset by the same URL', () => {
  const asset = 'https://cdn.example/asset/abc/index.m3u8?token=a%2Bb';
  expect(castUrl(asset, 60)).toBe(asset);
});
