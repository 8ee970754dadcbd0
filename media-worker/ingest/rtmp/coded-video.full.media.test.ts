import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LiveSession } from '@/media-worker/live/session/live-session';
import { openStream, profile, windowOf } from '@/media-worker/live/session/testing/live-stream';
import { readEnhancedClip } from './testing/enhanced-clip';
import { parseFlvTag } from '@/media-worker/media/packets/flv-tag';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { emitChangedConfigs } from '@/media-worker/media/packets/announce-parameter-sets';
import { withCodedFrames } from '@/media-worker/media/packets/coded-frames';
import { makeRecording } from '@/media-worker/recording/make-recording';
import {
  createPackagingAfter,
  createRecordedSessions,
} from '@/media-worker/recording/testing/recorded-session';
import { Packaging, SteppedClock } from '@/media-worker/media/packaging/testing/packaging';

/** HEVC and AV1 of ffmpeg's encoders, sent as Enhanced RTMP, packaged and decoded again. */

const runProgram = promisify(execFile);
let directory = '';
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'coded-video-'))));
afterAll(() => rm(directory, { recursive: true, force: true }));

const x265Args = (params: string) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1'],
  ...['-x265-params', `log-level=none:keyint=25:min-keyint=25:bframes=2:${params}`],
];
const svtArgs = ['-c:v', 'libsvtav1', '-preset', '12', '-g', '25'];
const FRAMES = 100;

/** Encodes a clip of four seconds with a keyframe each second. */
async function encodeClip(name: string, encoder: readonly string[], format: string): Promise<MediaPacket[]> {
  const path = join(directory, `${name}.mp4`);
  const videoArgs = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25', '-t', '4', '-pix_fmt', format];
  await runProgram('ffmpeg', ['-v', 'error', '-y', ...videoArgs, ...encoder, path]);
  const enhancedVideo = await readEnhancedClip(path);
  const packets: MediaPacket[] = [];
  const sink = withCodedFrames(
    emitChangedConfigs({ push: (packet) => packets.push(packet), end: () => undefined }),
  );
  for (const { timestampMs: ts, body } of [...enhancedVideo.configs, ...enhancedVideo.frames]) {
    const packet = parseFlvTag(9, ts, body);
    if (packet) sink.push(packet);
  }
  return packets;
}

/** Number of frames that a decoder shows, and its warnings. */
async function decode(packaging: Packaging): Promise<{ frames: number; warnings: string }> {
  const folder = await mkdtemp(join(directory, 'hls-'));
  for (const [name, bytes] of packaging.files()) await writeFile(join(folder, name), bytes);
  const args = ['-v', 'warning', '-stats', '-i', join(folder, 'index.m3u8'), '-f', 'null', '-'];
  const { stderr } = await runProgram('ffmpeg', args);
  const counts = [...stderr.matchAll(/frame=\s*(\d+)/g)].map(([, count]) => Number(count));
  return { frames: counts.at(-1) ?? 0, warnings: stderr.replaceAll(/frame=.*\r?\n?/g, '').trim() };
}

describe('packaged without re-encoding', () => {
  test.each([
    ['HEVC', x265Args('open-gop=0'), 'yuv420p', /^hvc1\.1\.6\.L\d+\.90$/, 'SDR'],
    ['HEVC with open GOPs', x265Args('open-gop=1'), 'yuv420p', /^hvc1\.1\./, 'SDR'],
    [
      'HEVC with HDR',
      x265Args('open-gop=0:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'),
      'yuv420p10le',
      /^hvc1\.2\.4\./,
      'PQ',
    ],
    ['AV1', svtArgs, 'yuv420p', /^av01\.0\.00M\.08$/, 'SDR'],
    ['AV1, 10 bit', svtArgs, 'yuv420p10le', /^av01\.0\.00M\.10$/, 'SDR'],
  ])('%s is decodable and keeps its codec', async (name, encoder, format, codec, videoRange) => {
    const packets = await encodeClip(name.replaceAll(' ', '-'), encoder, format);
    const packaging = new Packaging();
    packaging.run(packets);
    expect(packaging.issues()).toEqual([]);
    expect(packaging.segments.every(({ independent }) => independent)).toBe(true);
    const [video] = packaging.window.measure()?.codecs ?? [];
    expect(video).toMatch(codec);
    expect(packaging.window.measure()).toMatchObject({
      videoRange,
      resolution: { width: 160, height: 90 },
      frameRate: 25,
    });
    expect(await decode(packaging)).toEqual({ frames: FRAMES, warnings: '' });
  });
});

describe('with renditions in H.264', () => {
  const sessions: LiveSession[] = [];
  afterEach(() => Promise.all(sessions.splice(0).map((session) => session.close())));

  test.each([
    ['HEVC', x265Args('open-gop=0'), 'yuv420p'],
    [
      'HEVC with HDR',
      x265Args('open-gop=0:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'),
      'yuv420p10le',
    ],
    ['AV1', svtArgs, 'yuv420p'],
  ])('%s has the same segments in source and rendition', async (name, encoder, format) => {
    const packets = await encodeClip(`${name.replaceAll(' ', '-')}-renditions`, encoder, format);
    const { session, connect } = openStream([profile(60)], { clock: new SteppedClock() });
    sessions.push(session);
    const connection = connect();
    connection.publish(packets);
    const segmentCounts = () => session.renditions.all.map(({ window }) => window.view().segments.length);
    await expect.poll(segmentCounts).toEqual([expect.any(Number), expect.any(Number)]);
    await expect.poll(() => segmentCounts().every((count) => count > 0)).toBe(true);
    connection.disconnect('finished');
    await session.close();
    const [source, renditionWindow] = ['source', '60p'].map((renditionName) =>
      windowOf(session, renditionName),
    );
    expect(renditionWindow?.measure()).toMatchObject({ resolution: { width: 106, height: 60 } });
    expect(renditionWindow?.measure()?.codecs[0]).toMatch(/^avc1\./);
    expect(renditionWindow?.measure()?.videoRange).toBe('SDR');
    const segmentNumbers = (window: typeof source) => window?.view().segments.map(({ msn }) => msn);
    expect(segmentNumbers(renditionWindow)).toEqual(segmentNumbers(source));
  });
});

test('a recording whose codec changes is complete as HLS, and its MP4 has the codec that lasted longest', async () => {
  const sessions = await createRecordedSessions();
  try {
    const h264 = await encodeClip('h264', ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25'], 'yuv420p');
    const hevc = (await encodeClip('changed', x265Args('open-gop=0'), 'yuv420p')).filter(
      ({ dts }) => dts < 2_000,
    );
    const [before, after] = [new Packaging(), createPackagingAfter(1, 60_000)];
    before.run(hevc);
    after.run(h264);
    for (const packaging of [before, after]) await sessions.store('session', packaging);
    const { signal } = new AbortController();
    await makeRecording('session', { storage: sessions.storage, signal });
    const path = (file: string) => sessions.path('session', file);
    const masterPlaylist = await readFile(await path('hls/index.m3u8'), 'utf8');
    expect(masterPlaylist).toMatch(/CODECS="(hvc1\.[^,]+,avc1\.\w+|avc1\.\w+,hvc1\.[^,"]+)"/);
    const playlist = await readFile(await path('hls/source/index.m3u8'), 'utf8');
    expect(playlist.match(/#EXT-X-MAP/g)).toHaveLength(2);
    const mp4 = await path('source.mp4');
    const { stdout } = await runProgram('ffprobe', [
      ...['-v', 'error', '-count_frames', '-show_entries', 'stream=codec_name,nb_read_frames'],
      ...['-of', 'csv=p=0', mp4],
    ]);
    expect(stdout.trim()).toBe(`h264,${FRAMES}`);
  } finally {
    await sessions.remove();
  }
});
