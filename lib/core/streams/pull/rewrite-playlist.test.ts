import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlaylist, PlaylistError, rewritePlaylist } from './rewrite-playlist';

const playlistUrl = 'https://live.example.com/a/index.m3u8';

function rewrite(text: string) {
  const requestedUrls: string[] = [];
  const result = rewritePlaylist(text, playlistUrl, (url) => `http://proxy/${requestedUrls.push(url)}`);
  return { requestedUrls, lines: result.trimEnd().split('\n') };
}

test('every URI of a media playlist is replaced, including its key and init segment, and parts are left out', () => {
  const { requestedUrls, lines } = rewrite(
    [
      '#EXTM3U',
      '#EXT-X-TARGETDURATION:4',
      '#EXT-X-PART:DURATION=1,URI="part.m4s"',
      '#EXT-X-KEY:METHOD=AES-128,URI="../key?x=1",IV=0x01',
      '#EXT-X-MAP:URI="init.mp4",BYTERANGE="10@0"',
      '#EXTINF:4,',
      'one.m4s?token=a,b',
      '#EXTINF:4,',
      'http://other.example.com/two.m4s',
    ].join('\r\n'),
  );
  expect(requestedUrls).toEqual([
    'https://live.example.com/key?x=1',
    'https://live.example.com/a/init.mp4',
    'https://live.example.com/a/one.m4s?token=a,b',
    'http://other.example.com/two.m4s',
  ]);
  expect(lines).toEqual([
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:4',
    '#EXT-X-KEY:METHOD=AES-128,URI="http://proxy/1",IV=0x01',
    '#EXT-X-MAP:URI="http://proxy/2",BYTERANGE="10@0"',
    '#EXTINF:4,',
    'http://proxy/3',
    '#EXTINF:4,',
    'http://proxy/4',
  ]);
});

test('a master playlist keeps the best readable variant with its default audio', () => {
  const { requestedUrls, lines } = rewrite(
    [
      '#EXTM3U',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="x",URI="other.m3u8"',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="y",DEFAULT=YES,URI="sound.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="t",NAME="z",URI="text.m3u8"',
      '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9,URI="frames.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=9000,CODECS="av01.0.04M.08"',
      'av1.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=200,CODECS="avc1.64001f,mp4a.40.2",AUDIO="s"',
      'good.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=100',
      'small.m3u8',
    ].join('\n'),
  );
  expect(requestedUrls).toEqual([
    'https://live.example.com/a/sound.m3u8',
    'https://live.example.com/a/good.m3u8',
  ]);
  expect(lines.slice(1)).toEqual([
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,URI="http://proxy/1"',
    '#EXT-X-STREAM-INF:BANDWIDTH=200,AUDIO="a"',
    'http://proxy/2',
  ]);
});

test.each([
  ['file:///etc/passwd', 'not HTTP'],
  ['rtmp://10.0.0.1/live', 'not HTTP'],
  ['concat:/etc/passwd', 'not HTTP'],
])('%s is rejected as a URI', (uri, message) => {
  expect(() => rewrite(`#EXTM3U\n#EXTINF:1,\n${uri}`)).toThrow(message);
});

test('media with DRM is rejected', () => {
  const key = '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x"';
  expect(() => rewrite(`#EXTM3U\n${key}\n#EXTINF:1,\na.ts`)).toThrow(PlaylistError);
});

test('the rewritten playlist has no original URI, whatever the playlist contains', () => {
  const part = fc.constantFrom(
    '#EXT-X-KEY:METHOD=AES-128,URI="', '#EXT-X-MAP:URI="', '#EXT-X-STREAM-INF:BANDWIDTH=1', '#EXTINF:1,', '"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="', '#EXT-X-SESSION-DATA:URI="', '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="',
    'AUDIO="a"', ',', 'http://evil.example/x', '//evil.example/y', '\n', '\r', ' ', 'a.ts', '#', 'EXT-X-', ':', '=',
  ); // prettier-ignore
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = `#EXTM3U\n${parts.join('')}`;
      expect(isPlaylist(text)).toBe(true);
      try {
        for (const line of rewrite(text).lines) {
          const address = line.startsWith('#') ? (/URI="([^"]*)"/.exec(line)?.[1] ?? 'http://proxy/') : line;
          expect(address).toMatch(/^http:\/\/proxy\//);
        }
      } catch (error) {
        if (!(error instanceof PlaylistError)) throw error;
      }
    }),
  );
});
