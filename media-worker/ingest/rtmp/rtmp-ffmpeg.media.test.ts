import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Certificate } from '@/lib/infra/tls/certificate';
import { createNodeCertificates } from '@/lib/infra/testing/node-certificates';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { startIngest } from './testing/ingest-harness';

const running = new Set<ChildProcess>();

interface FinishedProgram {
  readonly code: number | null;
  readonly output: string;
}

function runProgram(program: string, args: string[]): Promise<FinishedProgram> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    running.add(child);
    child.stdout.on('data', (data: Buffer) => output.push(data));
    child.stderr.on('data', (data: Buffer) => output.push(data));
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      resolve({ code, output: Buffer.concat(output).toString() });
    });
  });
}

const runFfmpeg = (...args: string[]): Promise<FinishedProgram> =>
  runProgram('ffmpeg', ['-nostdin', '-v', 'error', ...args]);

/** Number of packets of one kind in a file, counted by ffprobe. */
async function countPackets(file: string, stream: 'v' | 'a'): Promise<number> {
  const entries = ['-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];
  const { output } = await runProgram('ffprobe', [
    '-v',
    'error',
    '-select_streams',
    stream,
    ...entries,
    file,
  ]);
  return Number.parseInt(output, 10);
}

let directory = '';
let clip = '';

/** Two seconds with B-frames, so that presentation and decode times differ. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ingest-'));
  clip = join(directory, 'clip.flv');
  const sources = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=160x90:r=25:d=2',
    '-f',
    'lavfi',
    '-i',
    'sine=r=44100:d=2',
  ];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '25', '-pix_fmt', 'yuv420p'];
  const { code, output } = await runFfmpeg(...sources, ...video, '-c:a', 'aac', '-shortest', clip);
  expect(output).toBe('');
  expect(code).toBe(0);
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

const publish = (port: number, path: string): Promise<FinishedProgram> =>
  runFfmpeg('-i', clip, '-c', 'copy', '-f', 'flv', `rtmp://127.0.0.1:${port}/${path}`);

it('ffmpeg publishes every frame of H.264 and AAC', async () => {
  await using ingest = await startIngest();
  const { code } = await publish(ingest.port, 'live/good-ffmpeg');
  expect(code).toBe(0);
  const sink = ingest.publishes[0]?.sink;
  expect(await sink?.waitForEnd()).toBe('finished');
  const packets = sink?.packets ?? [];
  const packetsOf = (kind: MediaPacket['kind'], role: MediaPacket['role']): MediaPacket[] =>
    packets.filter((packet) => packet.kind === kind && packet.role === role);

  expect(new Set(packets.map((packet) => packet.codec))).toEqual(new Set(['avc', 'aac']));
  expect([packetsOf('video', 'config').length, packetsOf('audio', 'config').length]).toEqual([1, 1]);
  expect(packetsOf('video', 'config')[0]?.payload[0]).toBe(1); // version of the AVCDecoderConfigurationRecord
  expect(packetsOf('video', 'frame')).toHaveLength(await countPackets(clip, 'v'));
  expect(packetsOf('audio', 'frame')).toHaveLength(await countPackets(clip, 'a'));
  for (const kind of ['video', 'audio'] as const) {
    const times = packetsOf(kind, 'frame').map((packet) => packet.dts);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  }
  expect(packetsOf('video', 'frame').some((packet) => packet.pts > packet.dts)).toBe(true);
  expect(packetsOf('video', 'frame').filter((packet) => packet.kind === 'video' && packet.key)).toHaveLength(
    2,
  );
});

it.each(['live/unknown-key', 'other/good-key'])(
  'ffmpeg reports the rejection of %s and exits',
  async (path) => {
    await using ingest = await startIngest({ limits: { minRejectionMs: 250 } });
    const { code, output } = await publish(ingest.port, path);
    expect(code).not.toBe(0);
    expect(output).toMatch(/Publish is not allowed|Unknown application/);
    expect(ingest.publishes).toEqual([]);
  },
);

it('ffmpeg publishes over TLS and verifies the certificate', async () => {
  const certificates = await createNodeCertificates();
  const { files } = certificates;
  const certificate = new Certificate({ cert: files.cert, key: files.key });
  await using ingest = await startIngest({ certificate });
  const url = `rtmps://127.0.0.1:${ingest.server.rtmpsPort ?? 0}/live/good-ffmpeg`;
  const args = ['-i', clip, '-c', 'copy', '-f', 'flv'];
  expect((await runFfmpeg(...args, '-tls_verify', '1', '-ca_file', files.ca, url)).code).toBe(0);
  const sink = ingest.publishes[0]?.sink;
  expect(await sink?.waitForEnd()).toBe('finished');
  const frames = sink?.packets.filter(({ kind, role }) => kind === 'video' && role === 'frame');
  expect(frames).toHaveLength(await countPackets(clip, 'v'));
  await certificates.remove();
});

it('ffmpeg prints why its media is rejected', async () => {
  await using ingest = await startIngest();
  const args = ['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'flv'];
  const whenExited = runFfmpeg(...args, `rtmp://127.0.0.1:${ingest.port}/live/good-ffmpeg`);
  while (ingest.publishes.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const publisher = ingest.publishes[0];
  await publisher?.sink.waitForPackets(5);
  publisher?.connection.disconnect('cut', 'video codec is VP9; H.264, HEVC and AV1 are accepted');
  const { code, output } = await whenExited;
  expect(code).not.toBe(0);
  expect(output).toContain('video codec is VP9; H.264, HEVC and AV1 are accepted');
});

it('ffmpeg exits with an error when its publish is cut', async () => {
  await using ingest = await startIngest();
  const args = ['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'flv'];
  const whenExited = runFfmpeg(...args, `rtmp://127.0.0.1:${ingest.port}/live/good-ffmpeg`);
  while (ingest.publishes.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const publisher = ingest.publishes[0];
  await publisher?.sink.waitForPackets(5);
  publisher?.connection.disconnect('cut');
  expect((await whenExited).code).not.toBe(0);
  expect(publisher?.sink.ends).toEqual(['cut']);
});
