import { describe, expect, test } from 'vitest';
import { measuredFrameRate, trackDuration, videoEndOf } from './media-probe';

const NTSC_RATE = 30_000 / 1001;

test.each([
  ['the announced rate if the frames agree', 15, 500, NTSC_RATE, NTSC_RATE],
  ['the counted rate if they do not', 15, 500, 60, 30],
  ['a whole rate in a period with rounded times', 8, 533.5, undefined, 15],
  ['a whole rate in a long period', 300, 10_000, undefined, 30],
  ['the NTSC rate if the period is long enough', 600, 20_020, undefined, NTSC_RATE],
  ['an unusual rate unchanged', 180, 4_400, undefined, 180 / 4.4],
  ['less than a frame per second unchanged', 1, 4_000, undefined, 0.25],
])('measuredFrameRate returns %s', (_what, frames, durationMs, announcedRate, rate) => {
  expect(measuredFrameRate(frames, durationMs, announcedRate)).toBeCloseTo(rate, 6);
});

const mp4Format = 'mov,mp4,m4a,3gp,3g2,mj2';
test.each([
  // [what is tested, format names of ffprobe, start_time, duration, expected seconds].
  ['of a saved live stream is without the time before its start', mp4Format, '3600000.08', '3600008', 7.92],
  ['of an MP4 with an empty edit is unchanged', mp4Format, '5', '8', 8],
  [
    'of a late Matroska file is without the time before its start',
    'matroska,webm',
    '99999.98',
    '100005',
    5.02,
  ],
  ['of a transport stream is unchanged', 'mpegts', '95443.6', '8', 8],
  ['that is missing is that of the file', mp4Format, undefined, undefined, 12],
  ['of a recording that starts late is unchanged', mp4Format, '70', '600', 600],
] as const)('the duration of a track %s', (_what, format_name, start_time, duration, expected) => {
  const report = { streams: [], format: { format_name, duration: '12', start_time: '0' } };
  expect(trackDuration({ start_time, duration }, report)).toBe(expected);
});

describe('videoEndOf returns', () => {
  const endOf = (format_name: string, video: object) =>
    videoEndOf({ streams: [{ codec_type: 'video', ...video }], format: { format_name, start_time: '0' } });
  const video = { duration: '9', start_time: '0.5', time_base: '1/600' };

  test('the end of the last frame where a container states it', () => {
    expect(endOf(mp4Format, video)).toEqual({ seconds: 9.5, timescale: 600 });
    expect(endOf('gif', { duration: '3', start_time: '0', time_base: '1/100' })).toEqual({
      seconds: 3,
      timescale: 100,
    });
  });

  test.each([
    ['a container without durations of frames', 'matroska,webm', video],
    ['a track without a duration', mp4Format, { ...video, duration: undefined }],
    ['an unusual time base', mp4Format, { ...video, time_base: '1001/30000' }],
    ['audio only', mp4Format, { ...video, codec_type: 'audio' }],
  ])('null for %s', (_what, format, track) => expect(endOf(format, track)).toBeNull());
});
