import { describe, expect, test } from 'vitest';
import { displayMatrix, frameRateOf } from './media-probe';

const ntsc = 30_000 / 1001;

test.each([
  ['what is announced, where the frames agree', 15, 500, ntsc, ntsc],
  ['what is counted, where they do not', 15, 500, 60, 30],
  ['a whole rate in a part whose times are rounded', 8, 533.5, undefined, 15],
  ['a whole rate in a long period', 300, 10_000, undefined, 30],
  ['the rate of NTSC where the period is long enough to tell', 600, 20_020, undefined, ntsc],
  ['an unusual rate as it is', 180, 4_400, undefined, 180 / 4.4],
  ['less than a frame a second as it is', 1, 4_000, undefined, 0.25],
])('%s', (_what, frames, durationMs, announced, rate) => {
  expect(frameRateOf(frames, durationMs, announced)).toBeCloseTo(rate, 6);
});

const turned =
  '\n00000000:            0      -65536           0\n00000001:        65536           0           0\n' +
  '00000002:            0           0  1073741824\n';
const reportOf = (displaymatrix?: string) => ({
  streams: [
    {
      codec_type: 'video',
      side_data_list: [{}, { rotation: 90, ...(displaymatrix ? { displaymatrix } : {}) }],
    },
  ],
  format: {},
});

describe('how a picture is turned', () => {
  test('as ffprobe writes it', () => {
    expect(displayMatrix(reportOf(turned))).toEqual([0, -65_536, 0, 65_536, 0, 0, 0, 0, 1_073_741_824]);
  });

  test.each([undefined, '', 'unknown', '\n00000000: 1 2 3\n', turned.replaceAll('65536', 'NaN')])(
    'is not known from %j',
    (text) => {
      expect(displayMatrix(reportOf(text))).toBeNull();
    },
  );

  test('not at all where there is no such word, or no video', () => {
    expect(displayMatrix({ streams: [{ codec_type: 'video' }], format: {} })).toBeNull();
    expect(displayMatrix({ streams: [], format: {} })).toBeNull();
  });
});
