import { expect, test } from 'vitest';
import { playlistFor, parseStartPosition, parseEmbedOptions } from './embed-options';

const allOn = { autoplay: true, muted: true, controls: true };

test.each([
  [{}, allOn],
  [{ autoplay: '', muted: '1', controls: 'true' }, allOn],
  [{ autoplay: '0' }, { ...allOn, autoplay: false }],
  [
    { muted: 'FALSE', controls: 'no' },
    { autoplay: true, muted: false, controls: false },
  ],
  [{ autoplay: ['1', '0'] }, { ...allOn, autoplay: false }],
  [{ autoplay: 'perhaps', other: '0' }, allOn],
])('the embed options of the query %j are %j', (query, options) =>
  expect(parseEmbedOptions(query)).toEqual(options),
);

test.each([
  [{}, '/hls/a/index.m3u8?ll=1'],
  [{ ll: '1' }, '/hls/a/index.m3u8?ll=1'],
  [{ ll: '0' }, '/hls/a/index.m3u8?ll=0'],
])('a page with the query %j plays %s', (query, playlistUrl) => {
  expect(playlistFor('/hls/a/index.m3u8', query)).toBe(playlistUrl);
  expect(playlistFor(null, query)).toBeNull();
});

test('the playlist URL of an asset is unchanged without a query', () =>
  expect(playlistFor('/asset/a/index.m3u8', {})).toBe('/asset/a/index.m3u8'));

test.each([
  [{}, undefined],
  [{ t: '90' }, 90],
  [{ t: ['5', '90s'] }, 90],
  [{ t: '-1' }, undefined],
  [{ t: '1e9' }, undefined],
])('the start position in the query %j is %s', (query, seconds) =>
  expect(parseStartPosition(query)).toBe(seconds),
);
