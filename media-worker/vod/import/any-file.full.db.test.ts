import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { getAsset, locateAsset, transcodeAsset } from '@/lib/domain/assets';
import { assetKey } from '@/lib/core/storage-keys';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { findPlayback } from '@/lib/domain/streams';
import { createServeAsset } from '@/media-worker/delivery/origin/stored/serve-asset';
import { createIndexedReads } from '@/media-worker/vod/index/indexed-reads';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { makeDueStoryboards, createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { parseFrameRate } from '@/lib/core/media/media-probe';
import { acceptFile } from './accept-file';
import { importAssetJob } from './import-asset';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { transcodeAssetJob } from './transcode-asset';

const fixtures = createWorkerFixtures(await createTestDatabase(), { acceptMedia: 'any' });
const { ctx, storage, taskRow } = fixtures;
const owner = await fixtures.createTeamContext();
const samples = createSampleFiles();
const work = createTaskRunner(ctx, { import: importAssetJob, transcode: transcodeAssetJob });
afterAll(async () => {
  await work.close();
  samples.remove();
});

/** Creates a video with red, green, blue and white quarters, from left to right and top to bottom. */
function makeQuartersVideo(size: string, rate: string): string {
  const box = (x: string, y: string, color: string) => `drawbox=${x}:${y}:iw/2:ih/2:${color}:fill`;
  const boxes = [box('0', '0', 'red'), box('iw/2', '0', 'lime'), box('0', 'ih/2', 'blue')];
  return `color=white:size=${size}:rate=${rate}:duration=2,format=rgb24,${boxes.join(',')}`;
}
const sine = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=2'];
const videoArgs = (size: string, rate: string, ...filters: string[]) => [
  ...['-f', 'lavfi', '-i', [makeQuartersVideo(size, rate), ...filters].join(',')],
];
/** @param params further parameters of x265, each with a leading colon */
const x265 = (params = '') => [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-x265-params',
  `log-level=none${params}`,
];
const opus = ['-c:a', 'libopus', '-b:a', '64k'];
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'];
/** Names of ffmpeg for the transfer functions of HDR: HLG and PQ. */
type Transfer = 'arib-std-b67' | 'smpte2084';
/** Filters that convert sRGB pictures to HDR: to linear light, then to BT.2020 with white at 203 cd/m² (ITU-R BT.2408). */
const hdrFilters = (transfer: Transfer) =>
  'setparams=colorspace=gbr:color_primaries=bt709:color_trc=iec61966-2-1:range=pc,format=gbrp,' +
  `zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt2020:t=${transfer}:m=bt2020nc:r=tv:npl=203,format=yuv420p10le`;

function makeFile(name: string, ...args: readonly string[]): string {
  samples.ffmpeg(...args, samples.path(name));
  return samples.path(name);
}

/** Creates a video as phones do: stored as landscape, with a rotation in the metadata that turns it back to portrait. */
function makePhoneVideo(name: string, transfer: Transfer): string {
  const params = `:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`;
  const landscapeFile = makeFile('landscape.mov', ...videoArgs('90x160', '30'), ...sine, '-vf', `transpose=1,${hdrFilters(transfer)}`, ...x265(params), '-tag:v', 'hvc1', '-c:a', 'aac'); // prettier-ignore
  return makeFile(name, '-i', landscapeFile, '-c', 'copy', '-metadata:s:v', 'rotate=90');
}

/** What is known about a file. */
interface ExpectedFile {
  /** Format of the file, as in `videoSpec`. */
  readonly format: string;
  /** Codecs of the tracks of the file. */
  readonly codecs: readonly string[];
  /** Size of the converted video, after rotation, in square pixels, and even. Absent without video. */
  readonly width?: number;
  readonly height?: number;
  /** Frames per second; absent for a variable rate. */
  readonly fps?: number;
}

const files: readonly (readonly [string, () => string, ExpectedFile])[] = [
  ['HEVC from a phone: rotated, HLG, 10 bit', () => makePhoneVideo('phone.mov', 'arib-std-b67'), { format: 'mov', codecs: ['hevc', 'aac'], width: 90, height: 160, fps: 30 }],
  ['HEVC from a phone: rotated, PQ, 10 bit', () => makePhoneVideo('phone-pq.mov', 'smpte2084'), { format: 'mov', codecs: ['hevc', 'aac'], width: 90, height: 160, fps: 30 }],
  ['a silent screen recording of an odd size at a variable rate', () => makeFile('screen.webm', ...videoArgs('161x91', '30', "select='not(mod(n,3))+lt(n,20)'"), '-fps_mode', 'vfr', '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'), { format: 'webm', codecs: ['vp8'], width: 160, height: 90 }],
  ['a silent screen recording in RGB', () => makeFile('screen.mkv', ...videoArgs('320x180', '15'), '-c:v', 'libx264rgb', '-preset', 'ultrafast', '-crf', '10'), { format: 'matroska', codecs: ['h264'], width: 320, height: 180, fps: 15 }],
  ['VP9 and Opus', () => makeFile('vp9.webm', ...videoArgs('320x180', '30'), ...sine, ...vp9, ...opus), { format: 'webm', codecs: ['vp9', 'opus'], width: 320, height: 180, fps: 30 }],
  ['WebM from a browser, without a duration', () => makeFile('live.webm', ...videoArgs('160x90', '30'), ...sine, ...vp9, ...opus, '-live', '1'), { format: 'webm', codecs: ['vp9', 'opus'], width: 160, height: 90, fps: 30 }],
  ['interlaced MPEG-2 with AC-3, non-square pixels', () => makeFile('tv.ts', ...videoArgs('180x144', '25'), ...sine, '-c:v', 'mpeg2video', '-pix_fmt', 'yuv420p', '-b:v', '2M', '-flags', '+ildct+ilme', '-top', '1', '-aspect', '16:9', '-c:a', 'ac3'), { format: 'mpegts', codecs: ['mpeg2video', 'ac3'], width: 256, height: 144, fps: 25 }],
  ['odd size, 4:4:4 and PCM', () => makeFile('odd.mov', ...videoArgs('161x91', '25'), ...sine, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p', '-c:a', 'pcm_s16le'), { format: 'mov', codecs: ['h264', 'pcm_s16le'], width: 160, height: 90, fps: 25 }],
  ['MPEG-4 and MP3 in AVI', () => makeFile('old.avi', ...videoArgs('160x90', '25'), ...sine, '-c:v', 'mpeg4', '-q:v', '3', '-bf', '2', '-c:a', 'libmp3lame'), { format: 'avi', codecs: ['mpeg4', 'mp3'], width: 160, height: 90, fps: 25 }],
  ['ProRes', () => makeFile('prores.mov', ...videoArgs('160x90', '25'), '-c:v', 'prores_ks', '-profile:v', '1', '-pix_fmt', 'yuv422p10le'), { format: 'mov', codecs: ['prores'], width: 160, height: 90, fps: 25 }],
  ['AV1', () => makeFile('av1.mkv', ...videoArgs('160x90', '25'), '-c:v', 'libsvtav1', '-preset', '12', '-pix_fmt', 'yuv420p'), { format: 'matroska', codecs: ['av1'], width: 160, height: 90, fps: 25 }],
  ['a variable frame rate', () => makeFile('vfr.mkv', ...videoArgs('160x90', '25', "select='not(mod(n,3))+lt(n,20)'"), ...sine, '-fps_mode', 'vfr', ...vp9, ...opus), { format: 'matroska', codecs: ['vp9', 'opus'], width: 160, height: 90 }],
  ['FLV', () => makeFile('old.flv', ...videoArgs('160x90', '25'), ...sine, '-c:v', 'flv1', '-q:v', '3', '-ar', '44100', '-c:a', 'libmp3lame'), { format: 'flv', codecs: ['flv1', 'mp3'], width: 160, height: 90, fps: 25 }],
  ['H.264 and AAC in MPEG-TS', () => makeFile('plain.ts', ...videoArgs('160x90', '25'), ...sine, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'), { format: 'mpegts', codecs: ['h264', 'aac'], width: 160, height: 90, fps: 25 }],
  ['H.264 and Opus in MKV', () => makeFile('opus.mkv', ...videoArgs('160x90', '25'), ...sine, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...opus), { format: 'matroska', codecs: ['h264', 'opus'], width: 160, height: 90, fps: 25 }],
  ['MP3', () => makeFile('song.mp3', ...sine, '-ac', '2', '-c:a', 'libmp3lame'), { format: 'mp3', codecs: ['mp3'] }],
  ['WAV', () => makeFile('song.wav', ...sine), { format: 'wav', codecs: ['pcm_s16le'] }],
]; // prettier-ignore

const paths = new Map<string, string>();
/** The path of a file of the list, which is created at the first call, so that each test can run alone. */
function testFile(name: string): string {
  const make = files.find(([fileName]) => fileName === name)?.[1];
  if (!make) throw new Error(`no test file is called ${name}`);
  const path = paths.get(name) ?? make();
  paths.set(name, path);
  return path;
}

/** Track of a file as `ffprobe -show_streams` prints it. */
interface Track {
  readonly codec_type: 'video' | 'audio';
  readonly codec_name: string;
  readonly width?: number;
  readonly height?: number;
  readonly pix_fmt?: string;
  readonly color_range?: string;
  readonly color_transfer?: string;
  readonly field_order?: string;
  readonly avg_frame_rate: string;
  readonly start_time: string;
  readonly duration: string;
  readonly side_data_list?: object[];
}
const tracksOf = (path: string): Track[] =>
  (
    JSON.parse(execFileSync('ffprobe', ['-v', 'error', '-show_streams', '-of', 'json', path]).toString()) as {
      streams: Track[];
    }
  ).streams;

/** Returns the warnings of ffmpeg when it decodes a file. */
const decoderWarnings = (path: string): string =>
  spawnSync('ffmpeg', ['-v', 'warning', '-i', path, '-f', 'null', '-']).stderr.toString();

/** Colors in the middle of each quarter, from a frame in the middle of the video. */
function colorsOf(path: string, width: number, height: number): number[][] {
  const args = [
    '-v',
    'error',
    '-ss',
    '1',
    '-i',
    path,
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    '-',
  ];
  const pixels = execFileSync('ffmpeg', args);
  return [0.25, 0.75].flatMap((down) =>
    [0.25, 0.75].map((across) => {
      const offset = 3 * (Math.floor(down * height) * width + Math.floor(across * width));
      return [...pixels.subarray(offset, offset + 3)];
    }),
  );
}
/** The components of a color as `high` or `low`, because encoders change colors a little; a number where unclear. */
const levelsOf = (color: readonly number[]): string =>
  color.map((value) => (value > 170 ? 'high' : value < 85 ? 'low' : `${value}`)).join(' ');
const [high, low] = ['high', 'low'];
const quarterColors = [`${high} ${low} ${low}`, `${low} ${high} ${low}`, `${low} ${low} ${high}`, `${high} ${high} ${high}`]; // prettier-ignore

type Asset = Awaited<ReturnType<typeof upload>>;
const assets = new Map<string, Asset>();
/** Uploads a file, and processes it until its asset is ready. A second call for the same file returns the same asset. */
async function createReadyAsset(path: string): Promise<Asset> {
  const asset = assets.get(path) ?? (await upload(path));
  assets.set(path, asset);
  return asset;
}
async function upload(path: string) {
  const receivedFile = await receiveFile(fixtures, owner, path);
  await work.drain();
  const task = await taskRow(receivedFile.taskId);
  expect([task.phase, task.errorMessage]).toEqual(['completed', null]);
  return { ...receivedFile, task, asset: await getAsset(owner, receivedFile.assetId) };
}

/** Copies a stored file of an asset to the folder of the samples, and returns its path. */
async function copyOf(assetId: string, file: string): Promise<string> {
  const path = samples.path(`${assetId}-${file.replaceAll('/', '-')}`);
  await storage.withFile(assetKey(assetId, file), (storedPath) => copyFile(storedPath, path));
  return path;
}

describe('any file is converted to H.264 and AAC', () => {
  test.each(files)('from %s', async (name, _make, { format, codecs, width = 0, height = 0, fps }) => {
    const path = testFile(name);
    const { assetId, asset } = await createReadyAsset(path);
    const sha256 = execFileSync('sha256sum', [path]).toString().split(' ')[0];
    expect(asset).toMatchObject({
      size: readFileSync(path).length,
      hash: [{ algorithm: 'md5' }, { algorithm: 'sha256', hash: sha256 }],
      videoSpec: { format, tracks: codecs.map((codec) => ({ codec })) },
    });
    expect(asset.videoSpec?.duration).toBeCloseTo(2, 0);
    // The original is stored unchanged. Its key ends in .mp4 for every format.
    expect(readFileSync(await copyOf(assetId, 'source.mp4')).equals(readFileSync(path))).toBe(true);

    const result = await copyOf(assetId, 'video.mp4');
    expect(decoderWarnings(result)).toBe('');
    const tracks = tracksOf(result);
    const [video, audio] = ['video', 'audio'].map((kind) =>
      tracks.find((track) => track.codec_type === kind),
    );
    expect(tracks).toHaveLength(codecs.length);
    if (audio) expect(audio).toMatchObject({ codec_name: 'aac' });
    if (!video) return;
    expect(video).toMatchObject({ codec_name: 'h264', width, height, pix_fmt: 'yuv420p' });
    expect(video.side_data_list).toBeUndefined();
    expect(video.field_order).toBe('progressive');
    expect(video.color_range ?? 'tv').toBe('tv');
    expect(['bt709', 'smpte170m', undefined]).toContain(video.color_transfer);
    // Matroska rounds times to milliseconds.
    if (fps !== undefined) expect(parseFrameRate(video)).toBeCloseTo(fps, 1);
    expect(colorsOf(result, width, height).map(levelsOf)).toEqual(quarterColors);
    if (audio) {
      // A track with B-frames and a variable rate ends up to two frames early.
      const frame = fps === undefined ? 0.16 : 1 / fps;
      const ends = [video, audio].map((track) => Number(track.start_time) + Number(track.duration));
      expect(Math.abs((ends[0] ?? 0) - (ends[1] ?? 0))).toBeLessThan(frame + 0.03);
    }
    const poster = await copyOf(assetId, 'poster.jpg');
    expect(tracksOf(poster)[0]).toMatchObject({ width, height });
  });

  test('a variable frame rate keeps its times', async () => {
    const original = testFile('a variable frame rate');
    const { assetId } = await createReadyAsset(original);
    const times = (path: string) =>
      execFileSync('ffprobe', ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path]).toString().trim().split('\n').map(Number).sort((a, b) => a - b); // prettier-ignore
    const [before, after] = [times(original), times(await copyOf(assetId, 'video.mp4'))];
    expect(after).toHaveLength(before.length);
    const first = after[0] ?? 0;
    for (const [index, time] of after.entries())
      expect(time - first).toBeCloseTo((before[index] ?? 0) - (before[0] ?? 0), 2);
  });

  test('the asset has a storyboard and can be transcoded', async () => {
    const { assetId } = await createReadyAsset(testFile('HEVC from a phone: rotated, HLG, 10 bit'));
    await makeDueStoryboards(ctx);
    expect(await storage.head(assetKey(assetId, 'storyboard.vtt'))).not.toBeNull();
    const profile = { name: 'small', width: 46, height: 80, bitrate: 200_000, fps: 10 };
    const { asset, task } = await transcodeAsset(owner, { assetId, profile });
    await work.drain();
    expect(await taskRow(task.id)).toMatchObject({ phase: 'completed' });
    expect((await getAsset(owner, asset.id)).videoSpec?.tracks[0]).toMatchObject({
      codec: 'h264',
      height: 80,
    });
  });
});

test('the original is offered with its own type; the size of the MP4 is not known', async () => {
  const { playbackId } = await createReadyAsset(testFile('VP9 and Opus'));
  const serve = createServeAsset({
    storage: createIndexedReads(storage),
    locate: (id) => locateAsset(ctx, id),
  });
  const headersOf = async (file: string) =>
    (await serve({ path: `/${playbackId}/${file}`, download: true, headers: {} })).headers ?? {};
  const source = await headersOf('source');
  expect(source['Content-Type']).toBe('video/webm');
  expect(source['Content-Disposition']).toMatch(/^attachment; filename=.*\.webm"?$/);
  const video = await headersOf('video');
  expect(video['Content-Type']).toBe('video/mp4');
  expect(video['Content-Disposition']).toMatch(/\.mp4"?$/);
  // `size` would be the size of the original: the asset stores no size of the converted MP4. `hrn` is the name for people.
  const [mp4] = (await findPlayback(ctx, playbackId)).meta.source;
  expect(mp4).toMatchObject({ hrn: 'MP4', width: 320, height: 180 });
  expect(mp4).not.toHaveProperty('size');
});

describe('the task of a conversion', () => {
  test('encodes in the lane encode, with a cost by the number of pixels', async () => {
    const { task } = await createReadyAsset(testFile('ProRes'));
    const [width, height, fps, seconds] = [160, 90, 25, 2];
    // The pixels that are decoded, and the same number that is encoded (`encodeCost`).
    expect(task).toMatchObject({ lane: 'encode', cost: 2 * width * height * fps * seconds });
  });

  test('copies tracks in the lane local, without a cost', async () => {
    const { task } = await createReadyAsset(testFile('H.264 and AAC in MPEG-TS'));
    expect(task).toMatchObject({ lane: 'local', cost: 0 });
  });
});

describe('a file is rejected with the reason', () => {
  const reasonFor = async (path: string) => {
    const result = await acceptFile(path, { accept: 'any' });
    return result.accepted ? 'accepted' : result.reason;
  };

  test('if it is not a media file', async () => {
    const path = samples.path('text.mkv');
    for (const [text, reason] of [
      ['#EXTM3U\n#EXTINF:2,\nfile:///etc/passwd\n', /^the file is a playlist \(M3U8\), not a video$/],
      ['ffconcat version 1.0\nfile other.mp4\n', /^the format of the file is not known; MP4, MOV/],
      ['hello', /^the format of the file is not known; MP4, MOV/],
    ] as const) {
      writeFileSync(path, text);
      expect(await reasonFor(path)).toMatch(reason);
    }
    writeFileSync(path, '');
    expect(await reasonFor(path)).toBe('the file is empty');
  });

  test('if it is damaged or incomplete', async () => {
    const path = samples.path('broken.mkv');
    // The first bytes of every EBML file (RFC 8794), and so of Matroska.
    const ebmlMagic = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);
    writeFileSync(path, Buffer.concat([ebmlMagic, Buffer.alloc(5_000, 7)]));
    expect(await reasonFor(path)).toBe('the file cannot be read as MKV');
    const cutFile = makeFile('cut.mov', ...videoArgs('160x90', '25'), '-c:v', 'mpeg4');
    truncateSync(cutFile, readFileSync(cutFile).length - 500);
    expect(await reasonFor(cutFile)).toMatch(/^the file is incomplete/);
  });
});
