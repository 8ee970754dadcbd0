import { expect, test } from 'vitest';
import {
  findBestRenditionUri,
  formatPictureQuery,
  clampPictureTime,
  findPicture,
  readPictureRequest,
} from './picture-request';

const parseQuery = (query: string) => readPictureRequest(new URLSearchParams(query));

test.each([
  ['', '?width=640'],
  ['time=12.9&width=100', '?time=12&width=160'],
  ['width=320&time=0&x=1', '?time=0&width=320'],
  ['width=641', '?width=1280'],
  ['width=9000', '?width=1280'],
])('the query %j requests the picture %j', (query, picture) => {
  const request = parseQuery(query);
  expect('field' in request ? request : formatPictureQuery(request)).toBe(picture);
});

test.each(['time=-1', 'time=1e3', 'time=', 'time=86401', 'time=abc', 'width=0', 'width=1%0A', 'width=wide'])(
  'the query %j is rejected with the name of the invalid parameter',
  (query) =>
    expect(parseQuery(query)).toEqual({
      field: query.startsWith('time') ? 'time' : 'width',
      message: expect.stringMatching(/^must be a number/) as string,
    }),
);

const playlist = `#EXTM3U
#EXT-X-MAP:URI="init.mp4"
#EXTINF:10.000000,
000000.m4s
#EXTINF:4.5,
000001.m4s
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="init-2.mp4"
#EXTINF:2,
000002.m4s
#EXT-X-ENDLIST
`;

test.each([
  // [seconds from the beginning, init segment, segment, seconds from the beginning of the segment].
  [0, 'init.mp4', '000000.m4s', 0],
  [9.5, 'init.mp4', '000000.m4s', 9.5],
  [10, 'init.mp4', '000001.m4s', 0],
  [15, 'init-2.mp4', '000002.m4s', 0.5],
  [99, 'init-2.mp4', '000002.m4s', 2],
])('findPicture returns the segment of second %d', (time, init, segment, offset) => {
  expect(findPicture(playlist, time)).toEqual({ init, segment, offset });
});

test('a playlist without fragmented MP4 has no pictures', () => {
  expect(findPicture('#EXTM3U\n#EXTINF:2,\n0.ts\n', 0)).toBeNull();
  expect(findPicture('#EXTM3U\n', 0)).toBeNull();
});

test.each([
  [7.9, 12, 7],
  [12, 12, 11],
  [500, 12.4, 12],
  [3, 0.4, 0],
  [500, 0, 500],
])('a picture at %d s of a video of %d s shows second %d', (time, duration, second) =>
  expect(clampPictureTime(time, duration)).toBe(second),
);

test('findBestRenditionUri returns the URI of the rendition with the highest bandwidth', () => {
  const masterPlaylist =
    '#EXTM3U\n#EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=9,BANDWIDTH=10\nlow/index.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=200,CODECS="x"\nhigh/index.m3u8\n';
  expect(findBestRenditionUri(masterPlaylist)).toBe('high/index.m3u8');
  expect(findBestRenditionUri('#EXTM3U\n')).toBeNull();
});
