import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'hls-parser';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatMediaPlaylist } from '@/lib/core/hls/playlist';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { demuxFlv } from './testing/flv-file';
import { Packaging } from './testing/packaging';

/** Real media from ffmpeg, packaged, and read by ffmpeg, mediabunny and hls-parser. */

const execFileAsync = promisify(execFile);
let dir = '';
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'packager-'))));
afterAll(() => rm(dir, { recursive: true, force: true }));

const videoInputArgs = (size = '320x180', rate = 30) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=${size}:rate=${rate}`,
];
const audioInputArgs = (rate = 48000) => ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${rate}`];
const x264Args = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-threads', '1'];
const gopArgs = (frameCount: number) => [
  '-g',
  `${frameCount}`,
  '-keyint_min',
  `${frameCount}`,
  '-sc_threshold',
  '0',
];

let fileCount = 0;
async function encodePackets(seconds: number, ...args: string[]): Promise<MediaPacket[]> {
  const file = join(dir, `${++fileCount}.flv`);
  await execFileAsync('ffmpeg', ['-v', 'error', ...args, '-t', `${seconds}`, '-f', 'flv', file]);
  return demuxFlv(await readFile(file));
}

/**
 * Writes the files of a packaged publish.
 * @returns the path of the playlist
 */
async function writePlaylist(packaging: Packaging): Promise<string> {
  const folder = await mkdtemp(join(dir, 'hls-'));
  for (const [name, bytes] of packaging.endAndGetFiles()) await writeFile(join(folder, name), bytes);
  return join(folder, 'index.m3u8');
}

/**
 * Warnings that are no fault of the media: ffmpeg's demuxer keeps the first init segment of a playlist and warns
 * about every other one.
 */
const secondInitWarning = /^\[mov.*Found duplicated MOOV Atom. Skipped it\n/gm;

/** Warnings of ffmpeg when it decodes the whole input, without `secondInitWarning`. */
async function decoderWarnings(input: string): Promise<string> {
  const { stderr } = await execFileAsync('ffmpeg', ['-v', 'warning', '-i', input, '-f', 'null', '-']);
  return stderr.replaceAll(secondInitWarning, '');
}

async function countFrames(input: string): Promise<Record<string, number>> {
  const entries = ['-count_packets', '-show_entries', 'stream=codec_type,nb_read_packets', '-of', 'json'];
  const { stdout } = await execFileAsync('ffprobe', ['-v', 'error', ...entries, input]);
  const { streams } = JSON.parse(stdout) as { streams: { codec_type: string; nb_read_packets: string }[] };
  return Object.fromEntries(streams.map((stream) => [stream.codec_type, Number(stream.nb_read_packets)]));
}

/** Returns the number of frames that must be packaged: all except audio before the first video frame. */
function sentCount(packets: readonly MediaPacket[], kind: 'video' | 'audio'): number {
  const start = packets.find((packet) => packet.kind === 'video' && packet.key)?.dts ?? 0;
  return packets.filter((packet) => packet.kind === kind && packet.role === 'frame' && packet.dts >= start)
    .length;
}

/** Returns the init segment and the segments of one period, as a player appends them. */
function joinPeriod(packaging: Packaging, init?: string): Buffer {
  const segments = packaging.segments.filter((segment) => init === undefined || segment.init === init);
  const head = segments[0]?.period.initData ?? Buffer.alloc(0);
  return Buffer.concat([head, ...segments.flatMap((segment) => segment.parts.flatMap((part) => part.data))]);
}

async function probeBytes(bytes: Buffer) {
  const input = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: ALL_FORMATS });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const count = async (track: typeof video | typeof audio) => {
    let packets = 0;
    if (track)
      for await (const packet of new EncodedPacketSink(track).packets())
        packets += packet.data.length > 0 ? 1 : 0;
    return packets;
  };
  return {
    video: video && {
      packets: await count(video),
      width: await video.getDisplayWidth(),
      codec: await video.getCodecParameterString(),
    },
    audio: audio && {
      packets: await count(audio),
      rate: await audio.getSampleRate(),
      channels: await audio.getNumberOfChannels(),
      codec: await audio.getCodecParameterString(),
    },
  };
}

describe('packaging of real media', () => {
  const cases: Record<string, string[]> = {
    'no B-frames, 48 kHz mono': [
      ...videoInputArgs(),
      ...audioInputArgs(),
      ...x264Args,
      ...gopArgs(60),
      '-bf',
      '0',
      '-c:a',
      'aac',
    ],
    'B-frames, 44.1 kHz stereo': [
      ...videoInputArgs(),
      ...audioInputArgs(44100),
      ...x264Args,
      ...gopArgs(60),
      '-bf',
      '3',
      '-c:a',
      'aac',
      '-ac',
      '2',
    ],
    '25 fps, non-square, cropped': [
      ...videoInputArgs('322x182', 25),
      ...audioInputArgs(),
      ...x264Args,
      ...gopArgs(25),
      '-vf',
      'setsar=4/3',
      '-c:a',
      'aac',
    ],
    'irregular GOP, 5.1': [
      ...videoInputArgs(),
      ...audioInputArgs(),
      ...x264Args,
      '-force_key_frames',
      '0,0.7,3.1,3.2,5.9',
      '-c:a',
      'aac',
      '-ac',
      '6',
    ],
    'video only': [...videoInputArgs(), ...x264Args, ...gopArgs(60), '-bf', '2'],
    'audio only, 22.05 kHz': [...audioInputArgs(22050), '-c:a', 'aac'],
  };
  it.each(Object.entries(cases))('decodes to the sent frames: %s', async (_name, args) => {
    const packets = await encodePackets(7, ...args);
    const packaging = new Packaging({ minListedCount: 100 });
    packaging.run(packets);
    expect(packaging.issues()).toEqual([]);

    const playlist = await writePlaylist(packaging);
    expect(await decoderWarnings(playlist)).toBe('');
    const counts = await countFrames(playlist);
    const probeResult = await probeBytes(joinPeriod(packaging));
    for (const kind of ['video', 'audio'] as const) {
      expect(counts[kind] ?? 0).toBe(sentCount(packets, kind));
      expect(probeResult[kind]?.packets ?? 0).toBe(sentCount(packets, kind));
    }
    expect(packaging.segments.length).toBeGreaterThanOrEqual(2);
    const facts = packaging.window.measure();
    expect(facts?.codecs).toEqual(
      [probeResult.video?.codec, probeResult.audio?.codec].filter((codec) => typeof codec === 'string'),
    );
    expect(facts?.resolution?.width).toBe(probeResult.video?.width);
  });
});

it('hls-parser parses the playlist with and without parts', async () => {
  const packaging = new Packaging();
  packaging.begin(await encodePackets(5, ...videoInputArgs(), ...x264Args, ...gopArgs(30)));
  for (const lowLatency of [false, true]) {
    const playlist = parse(formatMediaPlaylist(packaging.window.view(), { lowLatency }));
    if (playlist.isMasterPlaylist) throw new Error('a media playlist was expected');
    expect(playlist.segments.length).toBeGreaterThan(1);
    expect(playlist.partTargetDuration).toBe(lowLatency ? 0.55 : undefined);
  }
});

describe('publishes and discontinuities', () => {
  it('a reconnect plays with one discontinuity', async () => {
    const packets = await encodePackets(
      5,
      ...videoInputArgs(),
      ...audioInputArgs(44100),
      ...x264Args,
      ...gopArgs(60),
      '-bf',
      '2',
      '-c:a',
      'aac',
    );
    const packaging = new Packaging({ minListedCount: 100 });
    packaging.run(packets);
    packaging.run(packets);
    const playlist = await writePlaylist(packaging);
    expect((await readFile(playlist, 'utf8')).match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
    expect(await decoderWarnings(playlist)).toBe('');
    const counts = await countFrames(playlist);
    expect(counts).toEqual({
      video: 2 * sentCount(packets, 'video'),
      audio: 2 * sentCount(packets, 'audio'),
    });
  });

  it('a change of the video within a publish makes periods that each decode on their own', async () => {
    const small = await encodePackets(
      4,
      ...videoInputArgs(),
      ...audioInputArgs(),
      ...x264Args,
      ...gopArgs(60),
      '-c:a',
      'aac',
    );
    const large = await encodePackets(
      4,
      ...videoInputArgs('640x360'),
      ...audioInputArgs(),
      ...x264Args,
      ...gopArgs(60),
      '-c:a',
      'aac',
    );
    const laterPackets = large.map((packet) => ({
      ...packet,
      dts: packet.dts + 4000,
      pts: packet.pts + 4000,
    }));
    const packaging = new Packaging({ minListedCount: 100 });
    packaging.run([...small, ...laterPackets]);
    const inits = [...new Set(packaging.segments.map(({ init }) => init))];
    expect(inits).toEqual(['init-1.mp4', 'init-1-1.mp4']);
    for (const [index, width] of [320, 640].entries()) {
      const bytes = joinPeriod(packaging, inits[index]);
      const file = join(dir, `side-${index}.mp4`);
      await writeFile(file, bytes);
      expect(await decoderWarnings(file)).toBe('');
      expect((await probeBytes(bytes)).video).toMatchObject({ width, packets: 120 });
    }
  });
});

describe('timestamps of real media', () => {
  it('media 50 hours into a publish reads the same as at its beginning', async () => {
    const packets = await encodePackets(
      5,
      ...videoInputArgs(),
      ...audioInputArgs(44100),
      ...x264Args,
      ...gopArgs(60),
      '-bf',
      '3',
      '-c:a',
      'aac',
    );
    const packaging = new Packaging({ minListedCount: 100 });
    packaging.run(packets, { startMs: 50 * 3600 * 1000 });
    const playlist = await writePlaylist(packaging);
    expect(await decoderWarnings(playlist)).toBe('');
    expect(await countFrames(playlist)).toEqual({
      video: sentCount(packets, 'video'),
      audio: sentCount(packets, 'audio'),
    });
    const { stdout } = await execFileAsync('ffprobe', ['-v', 'error', '-show_entries', 'format=start_time', '-of', 'csv=p=0', playlist]); // prettier-ignore
    expect(Math.abs(Number(stdout) - 180_000)).toBeLessThan(0.2);
  });

  it('presentation times before decode times are accepted', async () => {
    const encodedPackets = await encodePackets(
      4,
      ...videoInputArgs(),
      ...audioInputArgs(),
      ...x264Args,
      ...gopArgs(60),
      '-bf',
      '2',
      '-c:a',
      'aac',
    );
    const packets = encodedPackets.map((packet) =>
      packet.kind === 'video' ? { ...packet, pts: packet.pts - 67 } : packet,
    );
    expect(packets.some(({ pts, dts }) => pts < dts)).toBe(true);
    const packaging = new Packaging({ minListedCount: 100 });
    packaging.run(packets);
    const playlist = await writePlaylist(packaging);
    expect(await decoderWarnings(playlist)).toBe('');
    expect((await countFrames(playlist)).video).toBe(120);
  });

  it('audio and video stay in sync over a gap in the audio', async () => {
    const encodedPackets = await encodePackets(
      8,
      ...videoInputArgs(),
      ...audioInputArgs(44100),
      ...x264Args,
      ...gopArgs(60),
      '-c:a',
      'aac',
    );
    const packets = encodedPackets.filter(({ kind, dts }) => kind === 'video' || dts < 2500 || dts > 5500);
    const packaging = new Packaging({ minListedCount: 100 });
    packaging.run(packets);
    const playlist = await writePlaylist(packaging);
    expect(await decoderWarnings(playlist)).toBe('');
    const entries = ['-select_streams', 'a', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
    const { stdout } = await execFileAsync('ffprobe', ['-v', 'error', ...entries, playlist]);
    const lastAudioSeconds = Number(stdout.trim().split('\n').at(-1)?.replace(',', ''));
    const firstVideoMs = packets.find(({ kind, role }) => kind === 'video' && role === 'frame')?.dts ?? 0;
    expect(
      Math.abs(
        lastAudioSeconds -
          ((packets.findLast(({ kind }) => kind === 'audio')?.dts ?? 0) - firstVideoMs) / 1000,
      ),
    ).toBeLessThan(0.05);
  });
});
