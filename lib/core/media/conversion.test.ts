import { describe, expect, test } from 'vitest';
import { containerOfFormat } from './container';
import {
  type FileHandling,
  chooseHandling,
  unknownContainerMessage,
  planVideoConversion,
} from './conversion';
import type { ProbedStream } from './media-probe';
import type { Mp4Outline } from './media-rules';

const video: ProbedStream = {
  codec_type: 'video',
  codec_name: 'h264',
  width: 1280,
  height: 720,
  pix_fmt: 'yuv420p',
  avg_frame_rate: '25/1',
  field_order: 'progressive',
  sample_aspect_ratio: '1:1',
};
const audio: ProbedStream = { codec_type: 'audio', codec_name: 'aac', channels: 2, sample_rate: '48000' };
const hevc = { ...video, codec_name: 'hevc', pix_fmt: 'yuv420p10le' };
const opus = { ...audio, codec_name: 'opus' };
const cover = {
  codec_type: 'video',
  codec_name: 'mjpeg',
  pix_fmt: 'yuvj420p',
  disposition: { attached_pic: 1 },
};

const createOutline = (...types: string[]): Mp4Outline => ({
  brand: 'isom',
  boxes: types.map((type, index) => ({ type, start: index * 100, size: 100 })),
  fileSize: types.length * 100,
});
const fastStartOutline = createOutline('ftyp', 'moov', 'mdat');
const indexAtEndOutline = createOutline('ftyp', 'mdat', 'moov');
const fragmentedOutline = createOutline('ftyp', 'moov', 'moof', 'mdat');
const noOutline = createOutline();

function handlingOf(
  format: string,
  streams: ProbedStream[],
  { outline = noOutline, duration = '60.0' }: { outline?: Mp4Outline; duration?: string } = {},
): FileHandling {
  const report = { streams, format: { duration } };
  return chooseHandling({ container: containerOfFormat(format), outline, report }, { accept: 'any' });
}
const encode = (video: string | null, audio: string | null) => ({ kind: 'encode', video, audio });

describe('processing of a file', () => {
  test.each<[string, string, ProbedStream[], object, Mp4Outline?]>([
    ['MP4, index first', 'mp4', [video, audio], { kind: 'play' }, fastStartOutline],
    ['silent MP4', 'mp4', [video], { kind: 'play' }, fastStartOutline],
    ['MP4, index at the end', 'mp4', [video, audio], { kind: 'play' }, indexAtEndOutline],
    ['fragmented MP4', 'mp4', [video, audio], { kind: 'remux' }, fragmentedOutline],
    [
      'MP4 with an unmarked cover first',
      'mp4',
      [{ ...video, codec_name: 'mjpeg' }, video],
      { kind: 'remux' },
      fastStartOutline,
    ],
    ['MP4 with another track first', 'mp4', [cover, video, audio], { kind: 'remux' }, fastStartOutline],
    ['AAC only in MP4', 'mp4', [audio], { kind: 'play' }, fastStartOutline],
    ['AAC with a cover in MP4', 'mp4', [audio, cover], { kind: 'remux' }, fastStartOutline],
    ['H.264 and AAC in MOV', 'mov', [video, audio], { kind: 'remux' }, fastStartOutline],
    ['H.264 and AAC in MKV', 'matroska', [video, audio], { kind: 'remux' }],
    ['H.264 and AAC in MPEG-TS', 'mpegts', [video, audio], { kind: 'remux' }],
    ['HEVC from a phone', 'mov', [hevc, audio], encode('encode', 'copy'), indexAtEndOutline],
    ['VP9 and Opus', 'webm', [{ ...video, codec_name: 'vp9' }, opus], encode('encode', 'encode')],
    ['H.264 and AC-3', 'matroska', [video, { ...audio, codec_name: 'ac3' }], encode('copy', 'encode')],
    [
      'H.264 in 10 bit',
      'mp4',
      [{ ...video, pix_fmt: 'yuv420p10le' }, audio],
      encode('encode', 'copy'),
      fastStartOutline,
    ],
    ['interlaced H.264', 'mpegts', [{ ...video, field_order: 'tt' }, audio], encode('encode', 'copy')],
    ['H.264 and AAC in AVI', 'avi', [video, audio], encode('encode', 'encode')],
    [
      '240 frames per second',
      'mp4',
      [{ ...video, avg_frame_rate: '240/1' }],
      encode('encode', null),
      fastStartOutline,
    ],
    ['MP3 with a cover', 'mp3', [{ ...audio, codec_name: 'mp3' }, cover], encode(null, 'encode')],
    ['a silent screen recording', 'webm', [{ ...video, codec_name: 'vp8' }], encode('encode', null)],
  ])('is chosen by container and codecs: %s', (_name, format, streams, expected, outline = noOutline) => {
    expect(handlingOf(format, streams, { outline })).toEqual(expected);
  });

  test.each<[string, ProbedStream[], string?]>([
    ['the file has neither video nor audio', []],
    ['the file has neither video nor audio', [cover]],
    ['the video cannot be decoded; its codec is unknown', [{ codec_type: 'video' }, audio]],
    ['the video has no picture size', [{ ...hevc, width: 0 }]],
    [
      'the picture has 7680x4320 pixels; at most 4096x2304 are accepted',
      [{ ...hevc, width: 7680, height: 4320 }],
    ],
    ['the audio has 9 channels; 1 to 8 are accepted', [hevc, { ...audio, channels: 9 }]],
    ['the audio has no sample rate', [hevc, { ...opus, sample_rate: undefined }]],
    ['the video lasts 12.5 hours; at most 12 are accepted', [hevc, audio], '45000'],
    ['the audio lasts 12.5 hours; at most 12 are accepted', [opus], '45000'],
  ])('is rejected with the message: %s', (reason, streams, duration = '60') => {
    expect(handlingOf('matroska', streams, { duration })).toEqual({ kind: 'reject', reason });
  });

  test('a missing duration is accepted in WebM, but not in MP4', () => {
    expect(handlingOf('webm', [hevc], { duration: 'N/A' })).toEqual(encode('encode', null));
    expect(handlingOf('mp4', [hevc], { duration: '0' })).toMatchObject({ kind: 'reject' });
  });

  test('if only MP4 is accepted, HEVC is rejected; H.264, and AAC alone in a file of this service, are played as they are', () => {
    const file = { container: containerOfFormat('mp4'), report: { streams: [hevc, audio], format: {} } };
    expect(chooseHandling({ ...file, outline: fastStartOutline }, {})).toEqual({
      kind: 'reject',
      reason: 'video codec is HEVC; H.264 is accepted',
    });
    const silent = { streams: [{ ...video, duration: '2' }], format: {} };
    for (const accept of ['mp4', 'any'] as const) {
      const report = { ...silent, format: { duration: '2' } };
      expect(chooseHandling({ ...file, report, outline: fastStartOutline }, { accept })).toEqual({
        kind: 'play',
      });
    }
    const audioOnlyReport = { streams: [audio], format: {} };
    expect(
      chooseHandling(
        { ...file, report: audioOnlyReport, outline: fastStartOutline },
        { isOwnFile: true, accept: 'any' },
      ),
    ).toEqual({
      kind: 'play',
    });
  });

  test('the message about an unknown container lists the accepted formats', () => {
    expect(unknownContainerMessage()).toMatch(
      /^the format of the file is not known; MP4, MOV, .* and APNG are accepted$/,
    );
  });
});

describe('encoding of a video', () => {
  const conversionOf = (change: Partial<ProbedStream>) => planVideoConversion({ ...hevc, ...change });

  test.each<[string, Partial<ProbedStream>, number, number]>([
    ['keeps its size', {}, 1280, 720],
    ['has an even width and height', { width: 853, height: 479 }, 852, 478],
    ['gets square pixels', { width: 720, height: 576, sample_aspect_ratio: '64:45' }, 1024, 576],
    ['ignores an invalid pixel aspect ratio', { sample_aspect_ratio: '0:1' }, 1280, 720],
    [
      'ignores a pixel aspect ratio that would make it too large',
      { width: 4096, height: 2304, sample_aspect_ratio: '2:1' },
      4096,
      2304,
    ],
    ['is portrait like the displayed picture', { side_data_list: [{ rotation: -90 }] }, 720, 1280],
    ['has at least two pixels in width and height', { width: 1, height: 1 }, 2, 2],
  ])('%s', (_name, change, width, height) => {
    expect(conversionOf(change).rendition).toMatchObject({ width, height, fps: null, profile: 'high' });
  });

  test('keeps a frame rate up to 120, and limits higher and unknown frame rates to 60', () => {
    expect(conversionOf({})).toMatchObject({ fps: 25, maxFps: null });
    expect(conversionOf({ avg_frame_rate: '120/1' })).toMatchObject({ fps: 120, maxFps: null });
    // Rate that browsers write for a variable frame rate.
    expect(conversionOf({ avg_frame_rate: '1000/1' })).toMatchObject({ fps: 60, maxFps: 60 });
    expect(conversionOf({ avg_frame_rate: '0/0' })).toMatchObject({ fps: 30, maxFps: 60 });
  });

  test.each<[Partial<ProbedStream>, string]>([
    [{ color_transfer: 'bt709', color_space: 'bt709' }, 'kept'],
    [{}, 'kept'],
    [{ color_transfer: 'smpte2084', color_space: 'bt2020nc' }, 'pq'],
    [{ color_transfer: 'arib-std-b67', color_space: 'bt2020nc' }, 'hlg'],
    [{ color_transfer: 'bt2020-10', color_space: 'bt2020nc' }, 'wide'],
    [{ pix_fmt: 'gbrp' }, 'rgb'],
    [{ pix_fmt: 'bgr0' }, 'rgb'],
  ])('colors of %j: %s', (change, colors) => expect(conversionOf(change).colors).toBe(colors));

  test('detects full range and interlaced pictures', () => {
    expect(conversionOf({ color_range: 'pc', field_order: 'bb' })).toMatchObject({
      fullRange: true,
      deinterlaced: true,
    });
    expect(conversionOf({ pix_fmt: 'yuvj422p' })).toMatchObject({ fullRange: true, deinterlaced: false });
  });

  test('limits the bitrate and computes the pixels per second', () => {
    expect(conversionOf({ width: 64, height: 36 }).rendition.bitrate).toBe(1_000_000);
    expect(conversionOf({ width: 4096, height: 2304, avg_frame_rate: '120/1' }).rendition.bitrate).toBe(
      40_000_000,
    );
    // Decoding and encoding count once each.
    expect(conversionOf({}).pixelsPerSecond).toBe(2 * 1280 * 720 * 25);
    expect(conversionOf({ color_transfer: 'smpte2084' }).pixelsPerSecond).toBeGreaterThan(
      conversionOf({}).pixelsPerSecond,
    );
  });
});
