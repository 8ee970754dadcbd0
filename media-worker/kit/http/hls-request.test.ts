import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHlsPath, parsePlaylistQuery, formatPlaylistQuery } from './hls-request';

const id = 'abcd1234efgh5678';

describe('parseHlsPath', () => {
  test.each([
    [`/${id}/index.m3u8`, null, 'index.m3u8', 'playlist'],
    [`/${id}/source/index.m3u8`, 'source', 'index.m3u8', 'playlist'],
    [`/${id}/thumbnail.jpg`, null, 'thumbnail.jpg', 'thumbnail'],
    [`/${id}/source/init-3.mp4`, 'source', 'init-3.mp4', 'init'],
    [`/${id}/source/init-3-1.mp4`, 'source', 'init-3-1.mp4', 'init'],
    [`/${id}/source/878787878.m4s`, 'source', '878787878.m4s', 'media'],
    [`/${id}/720p_0-x/878787878.3.m4s`, '720p_0-x', '878787878.3.m4s', 'media'],
    [`/${id}/720p~20~28main~29/index.m3u8`, '720p~20~28main~29', 'index.m3u8', 'playlist'],
  ])('parses %s', (path, rendition, file, kind) => {
    expect(parseHlsPath(path)).toEqual({ playbackId: id, rendition, file, kind });
  });

  test.each([
    '',
    '/',
    `/${id}`,
    `/${id}/`,
    `/${id}/1.m4s`,
    `/${id}/source/thumbnail.jpg`,
    `/${id}/init-1.mp4`,
    `/${id}//index.m3u8`,
    `/${id}/source/other.txt`,
    `/${id}/source/index.m3u8/`,
    `/${id}/source/../index.m3u8`,
    `/${id}/../${id}/index.m3u8`,
    `/..%2f${id}/index.m3u8`,
    `/${id}/%2e%2e/index.m3u8`,
    `/${id}/%252e%252e/index.m3u8`,
    `/${id}/source/1.m4s%00`,
    `/${id}/source/1.m4s\0`,
    `/${id}/source\\index.m3u8`,
    `/${id.toUpperCase()}/index.m3u8`,
    `/${id}x/index.m3u8`,
    `/${id}/${'r'.repeat(4096)}/index.m3u8`,
    `/${id}/source/${'9'.repeat(4096)}.m4s`,
    `/${id}/index.m3u8\n`,
  ])('rejects %j', (path) => {
    expect(parseHlsPath(path)).toBeNull();
  });

  test('never returns a name with a dot segment or a separator', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (tail) => {
        const path = parseHlsPath(`/${id}/${tail}`);
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
])('the query of %s is parsed', (target, expectedPath) => {
  expect(parsePlaylistQuery(target)).toEqual(expectedPath);
});

test('equal queries have the same text', () => {
  const spelling = (target: string) => {
    const query = parsePlaylistQuery(target);
    return query && formatPlaylistQuery(query);
  };
  expect(spelling('/x?utm=1')).toBe('');
  expect(spelling('/x?_HLS_part=3&a=b&_HLS_msn=07&ll=0')).toBe('?ll=0&_HLS_msn=7&_HLS_part=3');
  expect(spelling('/x?a=b&ll=1')).toBe('?ll=1');
  expect(spelling('/x?_HLS_skip=v2&_HLS_msn=7')).toBe('?_HLS_msn=7');
});
