import { describe, expect, it } from 'vitest';
import { masterPlaylist } from './playlist';
import { readMasterPlaylist, readStoredPlaylist } from './read-playlist';

const lines = (...more: readonly string[]) =>
  ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:6', ...more, ''].join('\n');
const map = '#EXT-X-MAP:URI="init.mp4"';
const segments = ['#EXTINF:6.000000,', '000000.m4s', '#EXTINF:1.5,', '000001.m4s'];

describe('readStoredPlaylist', () => {
  it('reads the init segment and the segments', () => {
    expect(readStoredPlaylist(lines(map, ...segments, '#EXT-X-ENDLIST'))).toEqual({
      init: 'init.mp4',
      segments: [
        { uri: '000000.m4s', seconds: 6 },
        { uri: '000001.m4s', seconds: 1.5 },
      ],
    });
  });

  it.each([
    ['goes on', lines(map, ...segments)],
    ['has no init segment', lines(...segments, '#EXT-X-ENDLIST')],
    ['has several', lines(map, ...segments, '#EXT-X-MAP:URI="init-2.mp4"', '#EXT-X-ENDLIST')],
    ['breaks its timeline', lines(map, ...segments, '#EXT-X-DISCONTINUITY', '#EXT-X-ENDLIST')],
    ['has no segments', lines(map, '#EXT-X-ENDLIST')],
    ['has a segment without a duration', lines(map, '000000.m4s', '#EXT-X-ENDLIST')],
  ])('refuses a playlist that %s', (_, text) => {
    expect(readStoredPlaylist(text)).toBeNull();
  });
});

describe('readMasterPlaylist', () => {
  it('reads what masterPlaylist writes', () => {
    const renditions = [
      {
        uri: 'source/index.m3u8',
        bandwidth: 5_000_000,
        averageBandwidth: 4_000_000,
        codecs: ['avc1.640028', 'mp4a.40.2'],
        resolution: { width: 1920, height: 1080 },
        frameRate: 29.97,
        independent: true,
      },
      {
        uri: 'audio/index.m3u8',
        bandwidth: 128_000,
        averageBandwidth: 128_000,
        codecs: ['mp4a.40.2'],
        resolution: undefined,
        frameRate: undefined,
        independent: true,
      },
    ];
    expect(readMasterPlaylist(masterPlaylist(renditions))).toEqual(renditions);
    expect(readMasterPlaylist('')).toEqual([]);
  });
});
