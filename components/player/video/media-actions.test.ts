import { expect, test } from 'vitest';
import { assetImageUrlsOf } from './media-actions';

const folder = 'http://media.example/asset/abcd0123efgh4567/';

test('the poster and the storyboard of an asset are next to its playlist', () => {
  expect(assetImageUrlsOf(`${folder}index.m3u8`)).toEqual({
    poster: `${folder}poster.jpg`,
    storyboard: `${folder}storyboard.vtt`,
  });
});

test.each([
  'http://media.example/hls/abcd0123efgh4567/index.m3u8',
  'http://media.example/recordings/x/index.m3u8',
  `${folder}video`,
  null,
])('%s has no poster and no storyboard', (src) => {
  expect(assetImageUrlsOf(src)).toBeNull();
});
