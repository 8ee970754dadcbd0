import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecordingSink } from '@/media-worker/ingest/publisher/testing/recording-sink';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { startSrtIngest } from '@/media-worker/ingest/srt/testing/srt-harness';
import type { AudioPacket } from '@/media-worker/media/packets/media-packet';
import type { AdmitPublish } from '@/media-worker/media/packets/publish';
import { withAacAudio } from './aac-sink';

const runProgram = promisify(execFile);
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aac-audio-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SECONDS = 4;
/** Seconds of silence before a tone. */
const TONE_START_SECONDS = 2;
const SAMPLE_RATE = 48_000;

/**
 * Publishes in real time, like an encoder, because the converter drops audio that arrives faster than it can
 * encode.
 */
/** The tone has 440 Hz: 2764 ≈ 2π · 440. */
const publish = (codecArgs: readonly string[], url: string, format: string) =>
  runProgram('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-re', '-f', 'lavfi', '-i', `testsrc2=s=160x90:r=25:d=${SECONDS}`],
    ...[
      '-f',
      'lavfi',
      '-i',
      `aevalsrc='if(gte(t,${TONE_START_SECONDS}),0.5*sin(2764*t),0)':s=${SAMPLE_RATE}:d=${SECONDS}`,
    ],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p'],
    ...codecArgs,
    ...['-f', format, url],
  ]);

function createRecordingAdmission(): { readonly sinks: RecordingSink[]; readonly admit: AdmitPublish } {
  const sinks: RecordingSink[] = [];
  const admit: AdmitPublish = () => {
    const sink = new RecordingSink();
    sinks.push(sink);
    return Promise.resolve(sink);
  };
  return { sinks, admit: withAacAudio(admit, { warn: (fields: unknown) => void warnings.push(fields) }) };
}
const warnings: unknown[] = [];

/** Seconds from the first sample of the decoded audio to the tone. */
async function findToneSeconds(
  config: Buffer,
  frames: readonly AudioPacket[],
  name: string,
): Promise<number> {
  const adts = frames.flatMap(({ payload }) => [createAdtsHeader(config, payload.length), payload]);
  const [file, samples] = [join(folder, `${name}.aac`), join(folder, `${name}.raw`)];
  await writeFile(file, Buffer.concat(adts));
  await runProgram('ffmpeg', [
    ...['-v', 'error', '-y', '-i', file, '-ac', '1', '-ar', `${SAMPLE_RATE}`, '-f', 's16le', samples],
  ]);
  const bytes = await readFile(samples);
  const sampleValues = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  return sampleValues.findIndex((value) => Math.abs(value) > 3_000) / SAMPLE_RATE;
}

/** Creates the ADTS header of one AAC frame (ISO/IEC 13818-7 §6.2). */
function createAdtsHeader(config: Buffer, length: number): Buffer {
  const [first = 0, second = 0] = config;
  const [profile, index, channels] = [
    (first >> 3) - 1,
    ((first & 7) << 1) | (second >> 7),
    (second >> 3) & 15,
  ];
  const size = length + 7;
  return Buffer.from([
    ...[0xff, 0xf1, (profile << 6) | (index << 2) | (channels >> 2)],
    ...[((channels & 3) << 6) | (size >> 11), (size >> 3) & 0xff, ((size & 7) << 5) | 0x1f, 0xfc],
  ]);
}

test.each([
  ['MP3 over RTMP', 'rtmp', ['-c:a', 'libmp3lame', '-ar', '44100']],
  ['MPEG audio over SRT', 'srt', ['-c:a', 'mp2']],
  ['AC-3 with six channels over SRT', 'srt', ['-c:a', 'ac3', '-ac', '6']],
  ['E-AC-3 over SRT', 'srt', ['-c:a', 'eac3']],
  ['Opus over SRT', 'srt', ['-c:a', 'libopus']],
] as const)('%s becomes AAC in sync with the video', async (name, protocol, codecArgs) => {
  const { sinks, admit } = createRecordingAdmission();
  warnings.length = 0;
  if (protocol === 'rtmp') {
    await using ingest = await startIngest({ admit });
    await publish(codecArgs, `rtmp://127.0.0.1:${ingest.port}/live/key`, 'flv');
    await expect.poll(() => sinks[0]?.ends.length).toBe(1);
  } else {
    await using ingest = await startSrtIngest({ admit, limits: { latencyMs: 120 } });
    await publish(codecArgs, `srt://127.0.0.1:${ingest.port}?streamid=publish:key&linger=3`, 'mpegts');
    await expect.poll(() => sinks[0]?.ends.length).toBe(1);
  }
  const packets = sinks[0]?.packets ?? [];
  const audio = packets.filter((packet): packet is AudioPacket => packet.kind === 'audio');
  expect([...new Set(audio.map((packet) => packet.codec))]).toEqual(['aac']);
  expect(warnings).toEqual([]);
  const config = audio.find(({ role }) => role === 'config')?.payload;
  const frames = audio.filter(({ role }) => role === 'frame');
  const firstVideoPtsMs = packets.find(({ kind, role }) => kind === 'video' && role === 'frame')?.pts ?? 0;
  if (!config || !frames[0]) throw new Error('no audio arrived');
  // The last frames are still in the converter when the encoder disconnects.
  expect((frames.at(-1)?.pts ?? 0) - firstVideoPtsMs).toBeGreaterThan((TONE_START_SECONDS + 0.5) * 1_000);
  const toneSeconds = await findToneSeconds(config, frames, protocol + name.slice(0, 4));
  expect(Math.abs((frames[0].pts - firstVideoPtsMs) / 1_000 + toneSeconds - TONE_START_SECONDS)).toBeLessThan(
    0.08,
  );
});
