import { expect, it } from 'vitest';
import { type PlaylistRendition, formatMasterPlaylist } from './playlist';

const source: PlaylistRendition = {
  uri: 'source/index.m3u8',
  bandwidth: 2_345_678.4,
  averageBandwidth: 2_000_000,
  codecs: ['avc1.64001f', 'mp4a.40.2'],
  resolution: { width: 1280, height: 720 },
  frameRate: 30000 / 1001,
  independent: true,
};

it('BANDWIDTH is never below AVERAGE-BANDWIDTH', () => {
  const text = formatMasterPlaylist([{ ...source, bandwidth: 1_000, averageBandwidth: 2_000.5 }]);
  expect(text).toContain('BANDWIDTH=2001,AVERAGE-BANDWIDTH=2001,');
});

it('a master playlist lists renditions in the given order with their measured values', () => {
  const audio = {
    ...source,
    uri: 'sound.m3u8',
    codecs: ['mp4a.40.2'],
    resolution: undefined,
    frameRate: undefined,
  };
  expect(formatMasterPlaylist([source, audio])).toBe(
    [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-STREAM-INF:BANDWIDTH=2345679,AVERAGE-BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970',
      'source/index.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=2345679,AVERAGE-BANDWIDTH=2000000,CODECS="mp4a.40.2"',
      'sound.m3u8',
      '',
    ].join('\n'),
  );
});

it('a master playlist declares independent segments only if every rendition has them', () => {
  expect(formatMasterPlaylist([source, { ...source, independent: false }])).not.toContain('INDEPENDENT');
});

it.each([
  [[false, false], true],
  [[false, true], false],
  [[false, undefined], false],
])(
  'with the closed captions %j of its renditions, a master playlist declares that there are none: %s',
  (captions, isDeclared) => {
    const renditions = captions.map((caption) =>
      caption === undefined ? source : { ...source, captions: caption },
    );
    expect(formatMasterPlaylist(renditions).match(/,CLOSED-CAPTIONS=NONE$/gm) ?? []).toHaveLength(
      isDeclared ? 2 : 0,
    );
  },
);

it('a master playlist omits an unknown frame rate', () => {
  expect(formatMasterPlaylist([{ ...source, frameRate: undefined }])).toContain('RESOLUTION=1280x720\n');
});
