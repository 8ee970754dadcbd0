import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { TsDemuxer } from '@/media-worker/media/mpegts/ts-demuxer';
import { LossyRelay } from './testing/lossy-relay';
import { startSrtIngest } from './testing/srt-harness';

const runProgram = promisify(execFile);
const passphrase = 'a-secret-phrase';
/** Maximum time of each wait. A run of the full suite has no limit for a test. */
const WAIT_MS = 240_000;
const hasLiveTransmit = spawnSync('srt-live-transmit', ['-version']).error === undefined;

let folder = '';
let clip = '';
let padding = '';
let expectedPackets: MediaPacket[] = [];
/** Encodes a clip of five seconds with 2 Mbit/s and B-frames. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'srt-'));
  const [source, wholeFile] = [join(folder, 'source.ts'), join(folder, 'whole.ts')];
  const input = '-f lavfi -i testsrc2=s=640x360:r=25:d=5 -f lavfi -i sine=r=48000:d=5';
  const video = '-c:v libx264 -preset veryfast -bf 2 -g 25 -b:v 2M -minrate 2M -maxrate 2M -bufsize 1M';
  const encode = `-v error ${input} ${video} -pix_fmt yuv420p -c:a aac -f mpegts`.split(' ');
  await runProgram('ffmpeg', [...encode, source]);
  // Publishers remultiplex the clip, so the packets are read from a remultiplexed copy.
  await runProgram('ffmpeg', ['-v', 'error', '-i', source, '-c', 'copy', '-f', 'mpegts', wholeFile]);
  [clip, expectedPackets] = [source, demux(await readFile(wholeFile))];
  padding = join(folder, 'padding.ts');
  const nullPacket = Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(184, 0xff)]);
  await writeFile(padding, Buffer.concat(Array.from({ length: 21 }, () => nullPacket)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function demux(bytes: Buffer): MediaPacket[] {
  const packets: MediaPacket[] = [];
  const demuxer = new TsDemuxer({ onPacket: (packet) => packets.push(packet), onTracks: () => undefined });
  demuxer.push(bytes);
  demuxer.end();
  return packets;
}

/** A running publisher, which is killed when it is disposed. */
interface Publisher extends Disposable {
  /** Lets the publisher end by itself; resolves when its process has exited. */
  readonly finish: () => Promise<unknown>;
}

/** Publishes the clip in real time. */
function publishWithFfmpeg(url: string): Publisher {
  // libsrt in ffmpeg has its latency in microseconds.
  const targetUrl = `${url}&latency=200000&linger=5`;
  const args = ['-v', 'error', '-nostdin', '-re', '-i', clip, '-c', 'copy', '-f', 'mpegts', targetUrl];
  const whenDone = runProgram('ffmpeg', args);
  // A test that fails earlier kills the process without waiting for it.
  whenDone.catch(() => undefined);
  return { finish: () => whenDone, [Symbol.dispose]: () => void whenDone.child.kill('SIGKILL') };
}

/**
 * A publisher of libsrt's tools. It drops its input until it is connected, so the clip starts after it has reported that.
 * It waits for new input while up to 100 KB of earlier input are in its own buffer, so padding follows the clip until
 * the publisher is stopped.
 */
function publishWithLiveTransmit(url: string): Publisher {
  const source = `{ read -r _; ffmpeg -v error -nostdin -re -i ${clip} -c copy -f mpegts -; while cat ${padding}; do sleep 0.1; done; }`;
  const sender = `srt-live-transmit -v -a:no file://con '${url}&latency=200&linger=5&conntimeo=${WAIT_MS}'`;
  const pipelineProcess = spawn('sh', ['-c', `${source} | ${sender}`], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  const whenExited = once(pipelineProcess, 'exit');
  let output = '';
  pipelineProcess.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes('SRT target connected')) pipelineProcess.stdin.end('\n');
  });
  const kill = (signal: NodeJS.Signals) => {
    if (
      pipelineProcess.pid !== undefined &&
      pipelineProcess.exitCode === null &&
      pipelineProcess.signalCode === null
    )
      process.kill(-pipelineProcess.pid, signal);
  };
  const finish = () => {
    kill('SIGINT');
    return whenExited;
  };
  return { finish, [Symbol.dispose]: () => kill('SIGKILL') };
}

const encryptionCases = [
  ['without encryption', ''],
  ['with AES-128', `&passphrase=${passphrase}&pbkeylen=16`],
  ['with AES-192', `&passphrase=${passphrase}&pbkeylen=24`],
  ['with AES-256', `&passphrase=${passphrase}&pbkeylen=32`],
] as const;

/** @throws Error if the wait takes too long */
async function withTimeout<T>(wait: Promise<T>, describeState: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no progress: ${describeState()}`)), WAIT_MS);
  });
  return Promise.race([wait, tooLong]).finally(() => clearTimeout(timer));
}

async function expectEveryPacket(start: (url: string) => Publisher, query: string): Promise<void> {
  const limits = { silenceTimeoutMs: 5_000 };
  await using ingest = await startSrtIngest({ limits, ...(query === '' ? {} : { passphrase }) });
  await using relay = await LossyRelay.start({ serverPort: ingest.port, lossFraction: 0.05, delayMs: 10 });
  using publisher = start(`srt://127.0.0.1:${relay.port}?streamid=good-key${query}`);
  await expect.poll(() => ingest.publishes.length).toBe(1);
  const { sink } = ingest.publishes[0] ?? {};
  const describeState = () =>
    `${sink?.packets.length} of ${expectedPackets.length} packets, ends: ${sink?.ends.join()}`;
  // The last frame is complete when the publish ends. A publish that ends early fails below, with the counts of its packets.
  const whenReceived = Promise.race([sink?.waitForPackets(expectedPackets.length - 1), sink?.waitForEnd()]);
  await withTimeout(whenReceived, describeState);
  await withTimeout(publisher.finish(), describeState);
  // The shutdown packet may be lost, like any other packet.
  expect(['finished', 'lost']).toContain(
    await withTimeout(sink?.waitForEnd() ?? Promise.resolve(undefined), describeState),
  );
  expect(relay.droppedCount).toBeGreaterThan(20);
  expect(sink?.packets.length, ingest.logLines.at(-1)).toBe(expectedPackets.length);
  expect(sink?.packets).toEqual(expectedPackets);
}

describe('over a network that loses 5 % in both directions, every byte arrives', () => {
  it.each(encryptionCases)('from ffmpeg, %s', (_how, query) => expectEveryPacket(publishWithFfmpeg, query));

  it.skipIf(!hasLiveTransmit).each(encryptionCases)(
    'from srt-live-transmit (apt-get install srt-tools), %s',
    (_how, query) => expectEveryPacket(publishWithLiveTransmit, query),
  );
});
