import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { RecordingSink } from '@/media-worker/ingest/publisher/testing/recording-sink';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { Bench, BenchOptions } from './lib/bench';
import { formatNumber, markdownTable } from './lib/figures';
import { startHeadwater, type Headwater } from './lib/headwater';
import { readPlaylist } from './lib/hls-reader';
import { waitFor } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import type { StreamUrls } from './lib/rtmp-service';
import type { Scope } from './lib/scope';

/** Kills an encoder repeatedly, and measures the effect on a viewer, a multistream target and CPU time. */

const KILL_COUNT = 20;
const SLATE_COUNT = 20;
const createdSchema = z.object({ id: z.string() });
const PLAYLIST_INTERVAL_MS = 200;

function startEncoder(scope: Scope, { publishUrl }: StreamUrls): ChildProcess {
  const input =
    '-re -f lavfi -i testsrc2=size=1280x720:rate=30 -re -f lavfi -i sine=frequency=440:sample_rate=48000';
  const output =
    '-pix_fmt yuv420p -c:v libx264 -preset ultrafast -tune zerolatency -b:v 1500k -g 60 -keyint_min 60 -sc_threshold 0 ' +
    `-c:a aac -b:a 96k -f flv ${publishUrl}`;
  const encoder = spawn('ffmpeg', `-v error -nostats ${input} ${output}`.split(' '), { stdio: 'ignore' });
  scope.defer(() => void encoder.kill('SIGKILL'));
  return encoder;
}

/** A simulated player that starts with two segments in its buffer and measures its longest stall. */
class Viewer {
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  #nextMsn: number | null = null;
  #bufferEndMs: number | null = null;
  longestStallMs = 0;
  segmentCount = 0;

  constructor(scope: Scope, url: string) {
    this.#url = url;
    this.#timer = setInterval(() => void this.#readPlaylist().catch(() => undefined), PLAYLIST_INTERVAL_MS);
    scope.defer(() => this.stop());
  }

  /** Stops the viewer before the stream ends, because the end of a stream is not a stall. */
  stop(): void {
    clearInterval(this.#timer);
  }

  async #readPlaylist(): Promise<void> {
    const playlist = await readPlaylist(this.#url);
    const now = performance.now();
    if (this.#bufferEndMs !== null && now > this.#bufferEndMs)
      this.longestStallMs = Math.max(this.longestStallMs, now - this.#bufferEndMs);
    for (const [index, { duration }] of (playlist?.segments ?? []).entries()) {
      const msn = (playlist?.mediaSequence ?? 0) + index;
      this.#nextMsn ??= (playlist?.mediaSequence ?? 0) + (playlist?.segments.length ?? 0) - 2;
      if (msn < this.#nextMsn) continue;
      this.#nextMsn = msn + 1;
      this.segmentCount += 1;
      this.#bufferEndMs = Math.max(this.#bufferEndMs ?? now, now) + duration * 1_000;
    }
  }
}

/** A connection of the target, with the arrival of its first and last frame, from performance.now(). */
class TargetConnection extends RecordingSink {
  firstFrameAt: number | undefined;
  lastFrameAt = 0;

  override push(packet: MediaPacket): void {
    super.push(packet);
    if (packet.role !== 'frame') return;
    this.lastFrameAt = performance.now();
    this.firstFrameAt ??= this.lastFrameAt;
  }
}

/** The longest time between two frames of a track in ms, by the timestamps of one connection. */
function gapWithinMs({ packets }: TargetConnection): number {
  const gaps = (['video', 'audio'] as const).flatMap((kind) => {
    const frames = packets.filter((packet) => packet.kind === kind && packet.role === 'frame');
    return frames.slice(1).map(({ dts }, index) => dts - (frames[index]?.dts ?? dts));
  });
  return gaps.reduce((longest, gap) => Math.max(longest, gap), 0);
}

/**
 * The longest time without a frame at the target, ms. Every connection has its own timestamps, so the time between two
 * connections, or until now, is measured by arrivals.
 */
function largestGapMs(connections: readonly TargetConnection[]): number {
  const withFrames = connections.filter(({ firstFrameAt }) => firstFrameAt !== undefined);
  const betweenMs = withFrames.map(
    ({ lastFrameAt }, index) => (withFrames[index + 1]?.firstFrameAt ?? performance.now()) - lastFrameAt,
  );
  return Math.max(0, ...betweenMs, ...withFrames.map(gapWithinMs));
}

const waitOptions = { timeoutMs: 60_000 };

const waitUntilPlayable = ({ playlistUrl }: StreamUrls) =>
  waitFor(
    'the first segments',
    async () => {
      const playlist = await readPlaylist(playlistUrl);
      return playlist && playlist.segments.length > 2 ? playlist : undefined;
    },
    waitOptions,
  );

async function post(service: Headwater, apiKey: string, path: string, body: object): Promise<string> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return createdSchema.parse(await response.json()).id;
}

async function measureEncoderLoss(scope: Scope, service: Headwater, { progress }: BenchOptions) {
  const connections: TargetConnection[] = [];
  const sink = await startIngest({
    admit: () => {
      const connection = new TargetConnection();
      connections.push(connection);
      return Promise.resolve(connection);
    },
  });
  scope.defer(() => sink.server.close());
  const apiKey = await service.createApiKey('target');
  const target = await post(service, apiKey, '/api/multistream/target', {
    url: `rtmp://127.0.0.1:${sink.port}/live/good-key`,
  });
  const stream = await service.createStream('killed', {
    record: true,
    slate: true,
    slateSeconds: 120,
    multistream: { targets: [{ id: target, profile: 'source' }] },
  });
  let encoder = startEncoder(scope, stream);
  await waitUntilPlayable(stream);
  await waitFor('the target', () => connections[0], waitOptions);
  const viewer = new Viewer(scope, stream.playlistUrl);
  await sleep(4_000);
  for (let kill = 0; kill < KILL_COUNT; kill += 1) {
    progress(`kill ${kill + 1} of ${KILL_COUNT}`);
    encoder.kill('SIGKILL');
    await sleep(2_500);
    encoder = startEncoder(scope, stream);
    await sleep(6_000);
  }
  viewer.stop();
  const { longestStallMs, segmentCount } = viewer;
  const measurement = {
    longestStallMs,
    segments: segmentCount,
    connections: connections.length,
    gapMs: largestGapMs(connections),
  };
  encoder.kill('SIGKILL');
  return measurement;
}

/**
 * Measures the CPU time of the live process while all streams show their slates.
 * @returns the CPU time of one slate in percent of a core
 */
async function measureSlateCpu(
  scope: Scope,
  service: Headwater,
  { window, progress }: BenchOptions,
): Promise<number> {
  const livePids = [service.pidOf('live')];
  for (let index = 0; index < SLATE_COUNT; index += 1) {
    progress(`slate ${index + 1} of ${SLATE_COUNT}`);
    const stream = await service.createStream(`slate ${index}`, { slate: true, slateSeconds: 600 });
    const encoder = startEncoder(scope, stream);
    await waitUntilPlayable(stream);
    encoder.kill('SIGKILL');
  }
  await sleep(10_000);
  const cpuBefore = cpuSeconds(livePids);
  await sleep(window * 1_000);
  return ((cpuSeconds(livePids) - cpuBefore) / window / SLATE_COUNT) * 100;
}

export const encoderLoss: Bench = {
  title: 'Loss of an encoder',
  explanation: `An encoder of 720p30 is killed ${KILL_COUNT} times, and started again 2.5 s later; its stream has a slate, a recording and an RTMP target. Then ${SLATE_COUNT} streams show their slate, and nothing else is on air.`,
  defaults: { runs: 1, window: 30, warmUp: 5 },
  async run(scope, directory, options) {
    const service = await startHeadwater(scope, directory, { EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
    const viewer = await measureEncoderLoss(scope, service, options);
    const cost = await measureSlateCpu(scope, service, options);
    return markdownTable(
      ['', 'measured'],
      [
        [
          'Longest stall of a viewer with two segments in its buffer',
          `${formatNumber(viewer.longestStallMs / 1_000, 2)} s`,
        ],
        ['Segments it played', String(viewer.segments)],
        ['Connections of the target', String(viewer.connections)],
        ['Largest gap at the target', `${formatNumber(viewer.gapMs, 0)} ms`],
        ['CPU of a slate', `${formatNumber(cost, 2)} % of a core`],
      ],
    );
  },
};
