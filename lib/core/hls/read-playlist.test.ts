import { describe, expect, it } from 'vitest';
import { formatMasterPlaylist } from './playlist';
import { parseMasterPlaylist, parseStoredPlaylist } from './read-playlist';

const lines = (...more: readonly string[]) =>
  ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:6', ...more, ''].join('\n');
const mapLine = '#EXT-X-MAP:URI="init.mp4"';
const segments = ['#EXTINF:6.000000,', '000000.m4s', '#EXTINF:1.5,', '000001.m4s'];

describe('parseStoredPlaylist', () => {
  it('returns the init segments and the segments', () => {
    const init = 'init.mp4';
    expect(parseStoredPlaylist(lines(mapLine, ...segments, '#EXT-X-ENDLIST'))).toEqual({
      inits: [init],
      segments: [
        { uri: '000000.m4s', seconds: 6, init, isContinuous: false },
        { uri: '000001.m4s', seconds: 1.5, init, isContinuous: true },
      ],
    });
  });

  it('marks segments after a discontinuity', () => {
    const text = lines(
      mapLine,
      ...segments,
      '#EXT-X-DISCONTINUITY',
      '#EXT-X-MAP:URI="init-2.mp4"',
      ...['#EXTINF:2,', '000002.m4s', '#EXTINF:2,', '000003.m4s'],
      ...['#EXT-X-DISCONTINUITY', '#EXTINF:2,', '000004.m4s', '#EXT-X-ENDLIST'],
    );
    const { inits, segments: segmentList } = parseStoredPlaylist(text) ?? expect.unreachable();
    expect(inits).toEqual(['init.mp4', 'init-2.mp4']);
    expect(segmentList.map(({ init, isContinuous }) => [init, isContinuous])).toEqual([
      ['init.mp4', false],
      ['init.mp4', true],
      ['init-2.mp4', false],
      ['init-2.mp4', true],
      ['init-2.mp4', false],
    ]);
  });

  it.each([
    ['has no end', lines(mapLine, ...segments)],
    ['has no init segment', lines(...segments, '#EXT-X-ENDLIST')],
    ['references its init segment too late', lines(...segments, mapLine, '#EXT-X-ENDLIST')],
    ['has no segments', lines(mapLine, '#EXT-X-ENDLIST')],
    ['has a segment without a duration', lines(mapLine, '000000.m4s', '#EXT-X-ENDLIST')],
  ])('rejects a playlist that %s', (_, text) => {
    expect(parseStoredPlaylist(text)).toBeNull();
  });
});

describe('parseMasterPlaylist', () => {
  it('parses the output of formatMasterPlaylist', () => {
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
    expect(parseMasterPlaylist(formatMasterPlaylist(renditions))).toEqual(renditions);
    expect(parseMasterPlaylist('')).toEqual([]);
  });
});
