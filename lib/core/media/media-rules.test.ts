import { describe, expect, test } from 'vitest';
import { parseFrameRate, type ProbedStream, type ProbeReport } from './media-probe';
import { type Mp4Outline, mp4OutlineFault, isFragmented, checkMp4 } from './media-rules';
import { createVideoSpec, withDuration } from './video-spec';

const video: ProbedStream = {
  codec_type: 'video',
  codec_name: 'h264',
  width: 1280,
  height: 720,
  pix_fmt: 'yuv420p',
  avg_frame_rate: '25/1',
  bit_rate: '2000000',
  duration: '60.000000',
};
const audio: ProbedStream = {
  codec_type: 'audio',
  codec_name: 'aac',
  channels: 2,
  sample_rate: '44100',
  bit_rate: '128000',
  duration: '60.023220',
};
const format = { format_name: 'mov,mp4,m4a,3gp,3g2,mj2', duration: '60.023000', bit_rate: '2140000' };
const createReport = (...streams: ProbedStream[]): ProbeReport => ({ streams, format });
const rejectionOfStreams = (...streams: ProbedStream[]) => checkMp4(createReport(...streams));

describe('checkMp4', () => {
  test('accepts H.264 with and without AAC, in any order of the tracks and in portrait', () => {
    expect(rejectionOfStreams(video, audio)).toBeNull();
    expect(rejectionOfStreams(audio, video)).toBeNull();
    expect(rejectionOfStreams({ ...video, width: 2160, height: 3840 }, audio)).toBeNull();
    expect(rejectionOfStreams(video)).toBeNull();
  });

  test('checks only the played tracks', () => {
    const cover = { codec_type: 'video', codec_name: 'mjpeg', disposition: { attached_pic: 1 } };
    const otherTracks = [
      { codec_type: 'data', codec_tag_string: 'tmcd' },
      { codec_type: 'subtitle', codec_name: 'mov_text' },
      { codec_tag_string: 'mebx' },
    ];
    expect(
      rejectionOfStreams(cover, ...otherTracks, video, { ...video, codec_name: 'mjpeg' }, audio, audio),
    ).toBeNull();
    const ac3Audio = { ...audio, codec_name: 'ac3' };
    const defaultAudio = { ...audio, disposition: { default: 1 } };
    expect(rejectionOfStreams(video, ac3Audio, defaultAudio)).toBeNull();
    expect(rejectionOfStreams(video, audio, { ...ac3Audio, disposition: { default: 1 } })).toBe(
      'audio codec is AC-3; AAC is accepted',
    );
    expect(rejectionOfStreams(cover, audio)).toBe('the file has no video track; H.264 video is needed');
  });

  test('accepts recordings without video, of any duration and in HEVC, but not in VP9 or without any track', () => {
    const recordingOf = (...streams: ProbedStream[]) =>
      checkMp4(createReport(...streams), { isOwnFile: true });
    expect(recordingOf(audio)).toBeNull();
    expect(recordingOf({ ...video, duration: '90000' }, { ...audio, duration: '90000' })).toBeNull();
    expect(recordingOf({ ...video, codec_name: 'hevc', pix_fmt: 'yuv420p10le' }, audio)).toBeNull();
    expect(recordingOf({ ...video, codec_name: 'vp9' }, audio)).toContain('VP9');
    expect(recordingOf()).toBe('the file has no video track; H.264 video is needed');
    expect(rejectionOfStreams(audio)).toBe('the file has no video track; H.264 video is needed');
  });

  test.each<[string, ProbedStream[]]>([
    ['the video lasts 12.5 hours; at most 12 are accepted', [{ ...video, duration: '45000' }, audio]],
    ['the video has no duration', [{ ...video, duration: '0.0' }, audio]],
    ['the video has no picture size', [{ ...video, width: 0 }, audio]],
    ['the audio has 9 channels; 1 to 8 are accepted', [video, { ...audio, channels: 9 }]],
    ['the audio has no sample rate', [video, { ...audio, sample_rate: '0' }]],
    ['video codec is unknown; H.264 is accepted', [{ codec_type: 'video' }, audio]],
  ])('rejects a file with the message: %s', (reason, streams) =>
    expect(rejectionOfStreams(...streams)).toBe(reason),
  );
});

describe('createVideoSpec', () => {
  test('lists only the played tracks', () => {
    const cover = { codec_type: 'video', codec_name: 'png', disposition: { attached_pic: 1 } };
    const defaultAudio = { ...audio, channels: 6, disposition: { default: 1 } };
    const spec = createVideoSpec(createReport(cover, video, audio, defaultAudio, { codec_type: 'data' }));
    expect(spec.tracks).toMatchObject([{ codec: 'h264' }, { codec: 'aac', channels: 6 }]);
  });

  test('has every field in its unit', () => {
    expect(createVideoSpec(createReport(video, audio))).toEqual({
      format: 'mp4',
      duration: 60,
      bitrate: 2_140_000,
      tracks: [
        {
          type: 'video',
          codec: 'h264',
          fps: 25,
          width: 1280,
          height: 720,
          bitrate: 2_000_000,
          duration: 60,
          pixelFormat: 'yuv420p',
        },
        {
          type: 'audio',
          codec: 'aac',
          bitrate: 128_000,
          channels: 2,
          duration: 60.02322,
          sampleRate: 44_100,
        },
      ],
    });
  });

  test('uses values of the file for missing values of a track', () => {
    const trackWithoutValues = { ...video, bit_rate: undefined, duration: undefined };
    const spec = createVideoSpec(createReport(trackWithoutValues, audio));
    expect(spec.tracks[0]).toMatchObject({ bitrate: 2_140_000 - 128_000, duration: 60.023 });
    expect(
      createVideoSpec(createReport({ ...trackWithoutValues, tags: { BPS: '777' } }, audio)).tracks[0]
        ?.bitrate,
    ).toBe(777);
    expect(createVideoSpec({ streams: [{ codec_type: 'audio' }], format: {} })).toEqual({
      format: '',
      duration: 0,
      tracks: [{ type: 'audio', codec: 'unknown', bitrate: 0, channels: 0, duration: 0, sampleRate: 0 }],
    });
  });
});

test('withDuration adds a missing duration and the bitrates that follow from it', () => {
  const trackWithoutValues = { ...video, bit_rate: undefined, duration: undefined };
  const spec = withDuration(
    createVideoSpec({ streams: [trackWithoutValues, audio], format: {} }),
    60,
    3_000_000,
  );
  // 3,000,000 bytes in 60 s are 400 kbit/s, of which the audio has 128.
  expect(spec).toMatchObject({ duration: 60, bitrate: 400_000 });
  expect(spec.tracks).toMatchObject([
    { duration: 60, bitrate: 272_000 },
    { duration: 60.02322, bitrate: 128_000 },
  ]);
});

test('a frame rate is read from the first valid fraction', () => {
  expect(parseFrameRate({ avg_frame_rate: '30000/1001' })).toBe(29.97);
  expect(parseFrameRate({ avg_frame_rate: '0/0', r_frame_rate: '50/1' })).toBe(50);
  expect(parseFrameRate({ avg_frame_rate: '0/0' })).toBe(0);
});

describe('outline of an MP4', () => {
  const createOutline = (types: readonly string[], change: Partial<Mp4Outline> = {}): Mp4Outline => ({
    brand: 'isom',
    boxes: types.map((type, index) => ({ type, start: index * 100, size: 100 })),
    fileSize: types.length * 100,
    ...change,
  });

  test('is fragmented if it has moof boxes', () => {
    expect(isFragmented(createOutline(['ftyp', 'free', 'mdat', 'moov']))).toBe(false);
    expect(isFragmented(createOutline(['ftyp', 'moov', 'moof', 'mdat']))).toBe(true);
  });

  test('is broken if a box exceeds the file, or the first box is not ftyp', () => {
    expect(mp4OutlineFault(createOutline(['ftyp', 'moov', 'mdat']))).toBeNull();
    expect(mp4OutlineFault(createOutline(['ftyp', 'moov', 'mdat'], { fileSize: 299 }))).toMatch(
      /middle of its mdat/,
    );
    expect(mp4OutlineFault(createOutline(['moov', 'ftyp']))).toBe('the file is not an MP4');
  });

  test('may have camera data or padding after index and media', () => {
    for (const movie of [
      ['ftyp', 'moov', 'mdat'],
      ['ftyp', 'mdat', 'moov'],
    ])
      expect(mp4OutlineFault(createOutline([...movie, '????'], { fileSize: 350 }))).toBeNull();
    expect(mp4OutlineFault(createOutline(['ftyp', 'mdat', '????'], { fileSize: 250 }))).toMatch(
      /middle of its \?\?\?\?/,
    );
    expect(mp4OutlineFault(createOutline(['ftyp', 'moov', 'mdat', 'moof'], { fileSize: 350 }))).toMatch(
      /middle of its moof/,
    );
  });
});
