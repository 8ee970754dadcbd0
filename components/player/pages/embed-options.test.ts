import { expect, test } from 'vitest';
import { playlistFor, parseStartPosition, parseEmbedOptions } from './embed-options';

const on = { autoplay: true, muted: true, controls: true };

test.each([
  [{}, on],
  [{ autoplay: '', muted: '1', controls: 'true' }, on],
  [{ autoplay: '0' }, { ...on, autoplay: false }],
  [
    { muted: 'FALSE', controls: 'no' },
    { autoplay: true, muted: false, controls: false },
  ],
  [{ autoplay: ['1', '0'] }, { ...on, autoplay: false }],
  [{ autoplay: 'perhaps', other: '0' }, on],
])('the embed options of the query %j are parsed', (query, options) =>
  expect(parseEmbedOptions(query)).toEqual(options),
);

test.each([
  [{}, '/hls/a/index.m3u8?ll=1'],
  [{ ll: '1' }, '/hls/a/index.m3u8?ll=1'],
  [{ ll: '0' }, '/hls/a/index.m3u8?ll=0'],
])('the query %j selects the playlist', (query, address) => {
  expect(playlistFor('/hls/a/index.m3u8', query)).toBe(address);
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
])('the start position in the query %j is parsed', (query, seconds) =>
  expect(parseStartPosition(query)).toBe(seconds),
);
