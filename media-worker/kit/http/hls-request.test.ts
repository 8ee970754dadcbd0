import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHlsPath, parsePlaylistQuery, formatPlaylistQuery } from './hls-request';

const playbackId = 'abcd1234efgh5678';

describe('parseHlsPath', () => {
  test.each([
    [`/${playbackId}/index.m3u8`, null, 'index.m3u8', 'playlist'],
    [`/${playbackId}/source/index.m3u8`, 'source', 'index.m3u8', 'playlist'],
    [`/${playbackId}/thumbnail.jpg`, null, 'thumbnail.jpg', 'thumbnail'],
    [`/${playbackId}/source/init-3.mp4`, 'source', 'init-3.mp4', 'init'],
    [`/${playbackId}/source/init-3-1.mp4`, 'source', 'init-3-1.mp4', 'init'],
    [`/${playbackId}/source/878787878.m4s`, 'source', '878787878.m4s', 'media'],
    [`/${playbackId}/720p_0-x/878787878.3.m4s`, '720p_0-x', '878787878.3.m4s', 'media'],
    [`/${playbackId}/720p~20~28main~29/index.m3u8`, '720p~20~28main~29', 'index.m3u8', 'playlist'],
  ])('parses %s', (path, rendition, file, kind) => {
    expect(parseHlsPath(path)).toEqual({ playbackId, rendition, file, kind });
  });

  test.each([
    '',
    '/',
    `/${playbackId}`,
    `/${playbackId}/`,
    `/${playbackId}/1.m4s`,
    `/${playbackId}/source/thumbnail.jpg`,
    `/${playbackId}/init-1.mp4`,
    `/${playbackId}//index.m3u8`,
    `/${playbackId}/source/other.txt`,
    `/${playbackId}/source/index.m3u8/`,
    `/${playbackId}/source/../index.m3u8`,
    `/${playbackId}/../${playbackId}/index.m3u8`,
    `/..%2f${playbackId}/index.m3u8`,
    `/${playbackId}/%2e%2e/index.m3u8`,
    `/${playbackId}/%252e%252e/index.m3u8`,
    `/${playbackId}/source/1.m4s%00`,
    `/${playbackId}/source/1.m4s\0`,
    `/${playbackId}/source\\index.m3u8`,
    `/${playbackId.toUpperCase()}/index.m3u8`,
    `/${playbackId}x/index.m3u8`,
    `/${playbackId}/${'r'.repeat(4096)}/index.m3u8`,
    `/${playbackId}/source/${'9'.repeat(4096)}.m4s`,
    `/${playbackId}/index.m3u8\n`,
  ])('rejects %j', (path) => {
    expect(parseHlsPath(path)).toBeNull();
  });

  test('never returns a name with a dot segment or a separator', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (tail) => {
        const path = parseHlsPath(`/${playbackId}/${tail}`);
        expect(/^[A-Za-z0-9_.~-]+$/.test(`${path?.rendition ?? ''}${path?.file ?? 'x'}`)).toBe(true);
        expect(path?.file ?? 'x').not.toContain('..');
      }),
    );
  });
});

test.each<[string, object | null]>([
  ['/index.m3u8', { lowLatency: true, msn: null, part: null }],
  ['/index.m3u8?', { lowLatency: true, msn: null, part: null }],
  ['/index.m3u8?ll=0&token=x', { lowLatency: false, msn: null, part: null }],
  ['/index.m3u8?dvr=1', { lowLatency: true, msn: null, part: null, dvr: true }],
  ['/index.m3u8?dvr=1&ll=0', { lowLatency: false, msn: null, part: null, dvr: true }],
  ['/index.m3u8?dvr=2', { lowLatency: true, msn: null, part: null }],
  ['/index.m3u8?ll=1', { lowLatency: true, early: true, msn: null, part: null }],
  ['/index.m3u8?_HLS_msn=7', { lowLatency: true, msn: 7, part: null }],
  ['/index.m3u8?_HLS_part=0&_HLS_msn=7', { lowLatency: true, msn: 7, part: 0 }],
  ['/index.m3u8?_HLS_skip=YES&ll=0', { lowLatency: false, msn: null, part: null }],
  ['/index.m3u8?_HLS_part=0', null],
  ['/index.m3u8?_HLS_msn=', null],
  ['/index.m3u8?_HLS_msn=-1', null],
  ['/index.m3u8?_HLS_msn=1.5', null],
  ['/index.m3u8?_HLS_msn=9999999999999999', null],
  ['/index.m3u8?_HLS_msn=1&_HLS_part=x', null],
])('the query of %s is parsed as %j (null: invalid)', (target, expectedQuery) => {
  expect(parsePlaylistQuery(target)).toEqual(expectedQuery);
});

test('formatPlaylistQuery writes the parameters in one order, and leaves out those of no meaning for a playlist', () => {
  const normalize = (target: string) => {
    const query = parsePlaylistQuery(target);
    return query && formatPlaylistQuery(query);
  };
  expect(normalize('/x?utm=1')).toBe('');
  expect(normalize('/x?_HLS_part=3&a=b&_HLS_msn=07&ll=0')).toBe('?ll=0&_HLS_msn=7&_HLS_part=3');
  expect(normalize('/x?a=b&ll=1')).toBe('?ll=1');
  expect(normalize('/x?_HLS_skip=v2&_HLS_msn=7')).toBe('?_HLS_msn=7');
});
