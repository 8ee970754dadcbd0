import { expect, test } from 'vitest';
import { prefixPlaylistUris, parseVersionedPath, prefixStoryboardUris, versionFolder } from './file-version';

test.each([
  ['index.m3u8', null, 'index.m3u8'],
  ['video', null, 'video'],
  ['video/download.mp4', null, 'video/download.mp4'],
  ['source', null, 'source'],
  ['poster.jpg', null, 'poster.jpg'],
  ['storyboard.vtt', null, 'storyboard.vtt'],
  ['tracks/a.vtt', null, 'tracks/a.vtt'],
  ['source/index.m3u8', 0, 'source/index.m3u8'],
  ['source/000001.m4s', 0, 'source/000001.m4s'],
  ['240p/init.mp4', 0, '240p/init.mp4'],
  ['storyboard-1.jpg', 0, 'storyboard-1.jpg'],
  ['v2/source/000001.m4s', 2, 'source/000001.m4s'],
  ['v12/storyboard-1.jpg', 12, 'storyboard-1.jpg'],
  ['v2/index.m3u8', 2, 'index.m3u8'],
  ['video2', null, 'video2'],
])('the path %s has the version %s and the file %s', (path, version, file) => {
  expect(parseVersionedPath(path)).toEqual({ version, file });
});

test('playlists and storyboards reference files in the folder of their version', () => {
  const masterPlaylist = [
    '#EXTM3U',
    '#EXT-X-MEDIA:TYPE=AUDIO,URI="audio/index.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=1',
    'source/index.m3u8',
    '',
  ].join('\n');
  expect(prefixPlaylistUris(versionFolder(0), masterPlaylist)).toBe(masterPlaylist);
  expect(prefixPlaylistUris(versionFolder(3), masterPlaylist).split('\n')).toEqual([
    '#EXTM3U',
    '#EXT-X-MEDIA:TYPE=AUDIO,URI="v3/audio/index.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=1',
    'v3/source/index.m3u8',
    '',
  ]);
  const cue = '00:00:00.000 --> 00:00:01.000\n';
  expect(prefixStoryboardUris('v1/', `WEBVTT\n\n${cue}storyboard-1.jpg#xywh=0,0,1,1\n`)).toBe(
    `WEBVTT\n\n${cue}v1/storyboard-1.jpg#xywh=0,0,1,1\n`,
  );
});
