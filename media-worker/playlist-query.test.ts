import { expect, test } from 'vitest';
import { parsePlaylistQuery, playlistQueryText } from './playlist-query';

test.each<[string, object | null]>([
  ['/index.m3u8', { lowLatency: true, msn: null, part: null, skip: false }],
  ['/index.m3u8?', { lowLatency: true, msn: null, part: null, skip: false }],
  ['/index.m3u8?ll=0&token=x', { lowLatency: false, msn: null, part: null, skip: false }],
  ['/index.m3u8?ll=1', { lowLatency: true, msn: null, part: null, skip: false }],
  ['/index.m3u8?_HLS_msn=7', { lowLatency: true, msn: 7, part: null, skip: false }],
  ['/index.m3u8?_HLS_part=0&_HLS_msn=7', { lowLatency: true, msn: 7, part: 0, skip: false }],
  ['/index.m3u8?_HLS_skip=YES', { lowLatency: true, msn: null, part: null, skip: true }],
  ['/index.m3u8?_HLS_skip=v2&_HLS_msn=7', { lowLatency: true, msn: 7, part: null, skip: true }],
  ['/index.m3u8?_HLS_skip=no', { lowLatency: true, msn: null, part: null, skip: false }],
  ['/index.m3u8?_HLS_skip=YES&ll=0', { lowLatency: false, msn: null, part: null, skip: false }],
  ['/index.m3u8?_HLS_part=0', null],
  ['/index.m3u8?_HLS_msn=', null],
  ['/index.m3u8?_HLS_msn=-1', null],
  ['/index.m3u8?_HLS_msn=1.5', null],
  ['/index.m3u8?_HLS_msn=9999999999999999', null],
  ['/index.m3u8?_HLS_msn=1&_HLS_part=x', null],
])('%s', (target, wanted) => {
  expect(parsePlaylistQuery(target)).toEqual(wanted);
});

test('equal requests have one spelling', () => {
  const spelling = (target: string) => {
    const query = parsePlaylistQuery(target);
    return query && playlistQueryText(query);
  };
  expect(spelling('/x?utm=1')).toBe('');
  expect(spelling('/x?_HLS_part=3&a=b&_HLS_msn=07&ll=0')).toBe('?ll=0&_HLS_msn=7&_HLS_part=3');
  expect(spelling('/x?_HLS_skip=v2&_HLS_msn=7')).toBe('?_HLS_msn=7&_HLS_skip=YES');
});
