import { expect, test } from 'vitest';
import { picturesBeside } from './media-actions';

test('the poster and the storyboard are next to the playlist of an asset, and other playlists have none', () => {
  const folder = 'http://media.example/asset/abcd0123efgh4567/';
  expect(picturesBeside(`${folder}index.m3u8`)).toEqual({
    poster: `${folder}poster.jpg`,
    storyboard: `${folder}storyboard.vtt`,
  });
  for (const other of [
    'http://m/hls/abcd0123efgh4567/index.m3u8',
    'http://m/recordings/x/index.m3u8',
    `${folder}video`,
    null,
  ])
    expect(picturesBeside(other)).toBeNull();
});
