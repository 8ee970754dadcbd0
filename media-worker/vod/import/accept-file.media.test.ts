import { createServer } from 'node:http';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createVideoSpec } from '@/lib/core/media/video-spec';
import { acceptFile } from './accept-file';
import { createSampleFiles, type SampleOptions } from '@/media-worker/vod/testing/sample-files';

const samples = createSampleFiles();
afterAll(() => samples.remove());

async function acceptedSpec(path: string) {
  const result = await acceptFile(path);
  if (!result.accepted) throw new Error(result.reason);
  return createVideoSpec(result.report);
}
const reasonFor = async (path: string) => {
  const result = await acceptFile(path);
  return result.accepted ? 'accepted' : result.reason;
};

/** Values of the rule that says which files are accepted. */
const acceptRules = [
  ['only MP4', 'mp4'],
  ['any format', 'any'],
] as const;

test.each(acceptRules)(
  'a silent H.264 MP4 plays without conversion where %s is accepted',
  async (_name, accept) => {
    const path = samples.make(`silent-${accept}.mp4`, { audio: null, output: ['-movflags', '+faststart'] });
    expect(await acceptFile(path, { accept })).toMatchObject({ accepted: true, handling: { kind: 'play' } });
  },
);

describe('accepts H.264 and AAC in MP4 and reports its tracks', () => {
  test('with a constant frame rate and the index at the end', async () => {
    const spec = await acceptedSpec(samples.make('cfr.mp4', { fps: '30000/1001' }));
    const [video, audio] = spec.tracks;
    expect(spec).toMatchObject({ format: 'mp4', tracks: [{ type: 'video' }, { type: 'audio' }] });
    expect(video).toEqual({
      type: 'video',
      codec: 'h264',
      fps: 29.97,
      width: 160,
      height: 90,
      bitrate: expect.any(Number) as number,
      duration: video?.duration,
      pixelFormat: 'yuv420p',
    });
    expect(audio).toEqual({
      type: 'audio',
      codec: 'aac',
      bitrate: expect.any(Number) as number,
      channels: 1,
      duration: audio?.duration,
      sampleRate: 48_000,
    });
    for (const seconds of [spec.duration, video?.duration, audio?.duration])
      expect(seconds).toBeCloseTo(2, 1);
    // The unit is bits per second, not kilobits or bytes.
    expect(audio?.bitrate).toBeGreaterThan(20_000);
    expect(audio?.bitrate).toBeLessThan(80_000);
    const bytes = readFileSync(samples.path('cfr.mp4')).length;
    expect(spec.bitrate).toBeCloseTo((bytes * 8) / 2, -4);
  });

  test.each<[string, SampleOptions, object]>([
    ['the index first', { output: ['-movflags', '+faststart'] }, {}],
    ['fragments', { output: ['-movflags', 'frag_keyframe+empty_moov'] }, {}],
    ['5.1 audio', { output: ['-ac', '6'] }, { channels: 6 }],
    ['a variable frame rate', { output: ['-vf', "select='not(mod(n,3))+lt(n,8)'", '-vsync', 'vfr'] }, {}],
  ])('with %s', async (name, options, expectedSpec) => {
    const spec = await acceptedSpec(samples.make(`${name.replaceAll(' ', '-')}.mp4`, options));
    const [video, audio] = spec.tracks;
    expect(spec.duration).toBeGreaterThan(1.5);
    expect(video?.type === 'video' && video.fps > 0 && video.fps <= 10.1).toBe(true);
    expect({ channels: audio?.type === 'audio' && audio.channels }).toMatchObject(expectedSpec);
  });

  test('portrait video is reported with its displayed size', async () => {
    const landscape = samples.make('landscape.mp4');
    samples.ffmpeg('-i', landscape, '-c', 'copy', '-metadata:s:v', 'rotate=90', samples.path('portrait.mp4'));
    const spec = await acceptedSpec(samples.path('portrait.mp4'));
    expect(spec.tracks[0]).toMatchObject({ width: 90, height: 160 });
  });

  test('cover art is not counted as a video track', async () => {
    const plain = samples.make('plain.mp4');
    samples.ffmpeg(
      '-f',
      'lavfi',
      '-i',
      'color=size=64x64:duration=0.1:rate=10',
      '-frames:v',
      '1',
      samples.path('c.jpg'),
    );
    samples.ffmpeg(
      ...['-i', plain, '-i', samples.path('c.jpg'), '-map', '0', '-map', '1', '-c', 'copy'],
      ...['-disposition:v:1', 'attached_pic', samples.path('cover.mp4')],
    );
    expect((await acceptedSpec(samples.path('cover.mp4'))).tracks).toHaveLength(2);
  });
});

test("a camera's trailer and padding are ignored", async () => {
  const movieBytes = readFileSync(samples.make('camera.mp4', { output: ['-movflags', '+faststart'] }));
  // Little-endian data without a box, as Samsung phones append it.
  const trailer = Buffer.concat([
    Buffer.from('0000010a0e000000', 'hex'),
    Buffer.from('Image_UTC_Data155SEFT'),
  ]);
  for (const appendedBytes of [trailer, Buffer.alloc(4_096), Buffer.from('\r\n')]) {
    const path = samples.path('trailer.mp4');
    writeFileSync(path, Buffer.concat([movieBytes, appendedBytes]));
    expect((await acceptedSpec(path)).tracks).toHaveLength(2);
  }
});

test.each([
  ['short', '\0\0\0\x03tag'],
  ['longer than the head', `\0\0\x40\0${'.'.repeat(64 * 128)}`],
])('AAC behind a %s ID3 tag is not read as MP3', async (name, tag) => {
  const bytes = readFileSync(samples.make('sound.aac', { output: ['-vn', '-f', 'adts'] }));
  const path = samples.path(`${name}.aac`);
  writeFileSync(path, Buffer.concat([Buffer.from(`ID3\x03\0\0${tag}`, 'latin1'), bytes]));
  const result = await acceptFile(path, { accept: 'any' });
  expect(result).toMatchObject({ accepted: true, container: { format: 'aac' } });
});

describe('rejects a file with the reason', () => {
  test.each<[string, SampleOptions, string]>([
    ['hevc', { video: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'] }, 'video codec is HEVC; H.264 is accepted'],
    ['vp9', { video: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'] }, 'video codec is VP9; H.264 is accepted'],
    ['mpeg4', { video: ['-c:v', 'mpeg4'] }, 'video codec is MPEG-4 Part 2; H.264 is accepted'],
    ['mp3', { audio: ['-c:a', 'libmp3lame'] }, 'audio codec is MP3; AAC is accepted'],
    ['4:4:4 chroma', { video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p'] }, 'video pixel format is yuv444p; yuv420p and yuvj420p are accepted'],
    ['too many tracks', { seconds: 1, output: ['-map', '0:v', ...Array.from({ length: 64 }, () => ['-map', '1:a']).flat()] }, 'the file has more than 64 tracks'],
    ['audio but no video', { output: ['-vn'] }, 'the file has no video track; H.264 video is needed'],
    ['too many pixels', { size: '4100x2400', seconds: 1, fps: '1' }, 'the picture has 4100x2400 pixels; at most 4096x2304 are accepted'],
    ['too many frames per second', { fps: '240', seconds: 1 }, 'the video has 240 frames per second; at most 120 are accepted'],
  ])('for a file with %s', async (name, options, reason) => {
    expect(await reasonFor(samples.make(`${name.replaceAll(/[ :]/g, '-')}.mp4`, options))).toBe(reason);
  }); // prettier-ignore

  test('that its container is QuickTime or Matroska', async () => {
    expect(await reasonFor(samples.make('film.mov'))).toBe(
      'the container is QuickTime (MOV); MP4 is accepted',
    );
    expect(await reasonFor(samples.make('film.mkv'))).toBe('the container is MKV; MP4 is accepted');
  });

  test.each(acceptRules)('that it is encrypted, where %s is accepted', async (_name, accept) => {
    const plainPath = samples.make('plain-tracks.mp4');
    const key = '76a6c65c5ea762046bd749a2e632ccbb';
    const cenc = ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', key, '-encryption_kid', key];
    const audio = samples.path('audio.mp4');
    samples.ffmpeg('-i', plainPath, '-c', 'copy', ...cenc, samples.path('cenc.mp4'));
    samples.ffmpeg(
      '-i',
      plainPath,
      '-c',
      'copy',
      ...cenc,
      '-movflags',
      '+faststart',
      samples.path('first.mp4'),
    );
    samples.ffmpeg('-i', plainPath, '-vn', '-c', 'copy', ...cenc, audio);
    samples.ffmpeg(
      '-i',
      plainPath,
      '-c',
      'copy',
      ...cenc,
      '-movflags',
      'frag_keyframe+empty_moov',
      samples.path('fragments.mp4'),
    );
    for (const path of ['cenc.mp4', 'first.mp4', 'fragments.mp4', 'audio.mp4'].map(samples.path)) {
      const result = await acceptFile(path, { accept });
      expect(result).toMatchObject({
        accepted: false,
        reason: 'the file is encrypted (DRM); only files without encryption are accepted',
      });
    }
  });

  test.each(acceptRules)('that it is not media, where %s is accepted', async (_name, accept) => {
    const path = samples.path('no-media.mp4');
    for (const [content, name] of [
      ['<!DOCTYPE html><title>Sign in</title>', 'a web page (HTML)'],
      ['#EXTM3U\n#EXT-X-VERSION:6\n', 'a playlist (M3U8)'],
      ['<?xml version="1.0"?><MPD type="static">', 'a DASH manifest (MPD)'],
      [gzipSync(readFileSync(samples.make('zipped.mp4'))), 'a gzip file'],
    ] as const) {
      writeFileSync(path, content);
      expect(await acceptFile(path, { accept })).toEqual({
        accepted: false,
        reason: `the file is ${name}, not a video`,
      });
    }
  });

  test('that it is incomplete or empty', async () => {
    const moviePath = samples.make('whole.mp4', { output: ['-movflags', '+faststart'] });
    const bytes = readFileSync(moviePath).length;
    for (const [name, size] of [
      ['cut.mp4', bytes - 1_000],
      ['begin.mp4', 10],
      ['empty.mp4', 0],
    ] as const) {
      copyFileSync(moviePath, samples.path(name));
      truncateSync(samples.path(name), size);
    }
    expect(await reasonFor(samples.path('cut.mp4'))).toBe(
      `the file is incomplete: it ends after ${bytes - 1_000} bytes, in the middle of its mdat box`,
    );
    expect(await reasonFor(samples.path('begin.mp4'))).toMatch(/^the file is incomplete/);
    expect(await reasonFor(samples.path('empty.mp4'))).toBe('the file is empty');
    const moovLess = readFileSync(samples.make('end.mp4'));
    writeFileSync(samples.path('no-moov.mp4'), moovLess.subarray(0, moovLess.indexOf('moov') - 4));
    expect(await reasonFor(samples.path('no-moov.mp4'))).toBe(
      'the file is incomplete: its index (the moov box) is missing',
    );
  });
});

test('rejects a file whose media cannot be decoded', async () => {
  const bytes = readFileSync(samples.make('garbage.mp4', { output: ['-movflags', '+faststart'] }));
  bytes.fill(0xa5, bytes.indexOf('mdat') + 4);
  writeFileSync(samples.path('garbage.mp4'), bytes);
  expect(await reasonFor(samples.path('garbage.mp4'))).toBe('the video cannot be decoded');
});

describe('files disguised as video', () => {
  test('a text file that refers to other files or URLs is rejected without opening them', async () => {
    const otherFile = samples.make('other.mp4');
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.ts`;
    const texts = [
      `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://${otherFile}\n#EXT-X-ENDLIST\n`,
      `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${url}\n#EXT-X-ENDLIST\n`,
      `ffconcat version 1.0\nfile other.mp4\n`,
      `<?xml version="1.0"?><MPD><BaseURL>${url}</BaseURL></MPD>`,
      'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nm=video 5000 RTP/AVP 96\r\n',
      '[Script Info]\nTitle: x\n',
      '<!doctype html><video src="/etc/passwd">',
      'PK\x03\x04 an archive',
    ];
    for (const [index, content] of texts.entries()) {
      const path = samples.path(`text${index}.mp4`);
      writeFileSync(path, content);
      expect(await reasonFor(path)).toMatch(/^the file (is not an MP4|is incomplete|is an? .+, not a video)/);
      // The same text after a valid `ftyp` box.
      writeFileSync(path, Buffer.concat([Buffer.from('\0\0\0\x10ftypisom\0\0\0\0'), Buffer.from(content)]));
      expect(await reasonFor(path)).toMatch(/^the file (is incomplete|cannot be read)/);
    }
    server.close();
    expect(requests).toBe(0);
  });

  test('a data reference to another file is not followed', async () => {
    const bytes = readFileSync(samples.make('reference.mp4', { output: ['-movflags', '+faststart'] }));
    const offset = bytes.indexOf('url \0\0\0\x01');
    expect(offset).toBeGreaterThan(0);
    // Clears the flag that says the media is in this file (ISO/IEC 14496-12 §8.7.2).
    bytes[offset + 7] = 0;
    writeFileSync(samples.path('reference.mp4'), bytes);
    // The file's own media is still read.
    const spec = await acceptedSpec(samples.path('reference.mp4'));
    expect(spec.tracks).toHaveLength(2);
  });

  test('a table that claims a million entries is not trusted', async () => {
    const bytes = readFileSync(samples.make('table.mp4', { output: ['-movflags', '+faststart'] }));
    bytes.writeUInt32BE(1_000_000, bytes.indexOf('stts') + 8);
    writeFileSync(samples.path('table.mp4'), bytes);
    expect(await reasonFor(samples.path('table.mp4'))).toBe('the file cannot be read as MP4');
  });
});

test('an aborted probe neither accepts nor rejects the file', async () => {
  const path = samples.make('aborted.mp4');
  await expect(acceptFile(path, {}, AbortSignal.abort())).rejects.toThrow('aborted');
});
