import { describe, expect, test } from 'vitest';
import { displayMatrix } from './media-probe';

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
