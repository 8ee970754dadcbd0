import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { RecordingSink } from '@/media-worker/ingest/publisher/testing/recording-sink';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { Bench, BenchOptions } from './lib/bench';
import { digits, markdownTable } from './lib/figures';
import { startHeadwater, type Headwater } from './lib/headwater';
import { readPlaylist } from './lib/hls-reader';
import { waitFor } from './lib/network';
import { cpuSeconds } from './lib/process-tree';
import type { Channel } from './lib/rtmp-service';
import type { Scope } from './lib/scope';

/** Kills an encoder repeatedly, and measures what viewers, a target and the machine notice. */

const kills = 20;
const slates = 20;
const created = z.object({ id: z.string() });
const watchMs = 200;

function startEncoder(scope: Scope, { publishUrl }: Channel): ChildProcess {
  const input =
    '-re -f lavfi -i testsrc2=size=1280x720:rate=30 -re -f lavfi -i sine=frequency=440:sample_rate=48000';
  const output =
    '-pix_fmt yuv420p -c:v libx264 -preset ultrafast -tune zerolatency -b:v 1500k -g 60 -keyint_min 60 -sc_threshold 0 ' +
    `-c:a aac -b:a 96k -f flv ${publishUrl}`;
  const encoder = spawn('ffmpeg', `-v error -nostats ${input} ${output}`.split(' '), { stdio: 'ignore' });
  scope.defer(() => void encoder.kill('SIGKILL'));
  return encoder;
}

/**
 * A simulated player with a buffer of two segments, which measures for how long it would have had nothing to show.
 */
class Viewer {
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  #next: number | null = null;
  #bufferedUntil: number | null = null;
  longestStallMs = 0;
  segments = 0;

  constructor(scope: Scope, url: string) {
    this.#url = url;
    this.#timer = setInterval(() => void this.#read().catch(() => undefined), watchMs);
    scope.defer(() => this.stop());
  }

  /** The end of the stream is not a stall. */
  stop(): void {
    clearInterval(this.#timer);
  }

  async #read(): Promise<void> {
    const playlist = await readPlaylist(this.#url);
    const now = performance.now();
    if (this.#bufferedUntil !== null && now > this.#bufferedUntil)
      this.longestStallMs = Math.max(this.longestStallMs, now - this.#bufferedUntil);
    for (const [index, { duration }] of (playlist?.segments ?? []).entries()) {
      const number = (playlist?.mediaSequence ?? 0) + index;
      this.#next ??= (playlist?.mediaSequence ?? 0) + (playlist?.segments.length ?? 0) - 2;
      if (number < this.#next) continue;
      this.#next = number + 1;
      this.segments += 1;
      this.#bufferedUntil = Math.max(this.#bufferedUntil ?? now, now) + duration * 1_000;
    }
  }
}

/** A connection of the target, with the arrival of its first and last frame, from performance.now(). */
class TargetConnection extends RecordingSink {
  firstAt: number | undefined;
  lastAt = 0;

  override push(packet: MediaPacket): void {
    super.push(packet);
    if (packet.role !== 'frame') return;
    this.lastAt = performance.now();
    this.firstAt ??= this.lastAt;
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

/** Every connection has its own timestamps, so the time from one to the next, or until now, is that of arrivals. */
function largestGapMs(connections: readonly TargetConnection[]): number {
  const withFrames = connections.filter(({ firstAt }) => firstAt !== undefined);
  const between = withFrames.map(
    ({ lastAt }, index) => (withFrames[index + 1]?.firstAt ?? performance.now()) - lastAt,
  );
  return Math.max(0, ...between, ...withFrames.map(gapWithinMs));
}

const timeouts = { timeoutMs: 60_000 };

const untilPlayable = ({ playlistUrl }: Channel) =>
  waitFor(
    'the first segments',
    async () => {
      const playlist = await readPlaylist(playlistUrl);
      return playlist && playlist.segments.length > 2 ? playlist : undefined;
    },
    timeouts,
  );

async function post(service: Headwater, apiKey: string, path: string, body: object): Promise<string> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return created.parse(await response.json()).id;
}

async function killAgainAndAgain(scope: Scope, service: Headwater, { progress }: BenchOptions) {
  const connections: TargetConnection[] = [];
  const sink = await startIngest({
    admit: () => {
      const connection = new TargetConnection();
      connections.push(connection);
      return Promise.resolve(connection);
    },
  });
  scope.defer(() => sink.server.close());
  const apiKey = await service.createKey('target');
  const target = await post(service, apiKey, '/api/multistream/target', {
    url: `rtmp://127.0.0.1:${sink.port}/live/good-key`,
  });
  const channel = await service.createStream('killed', {
    record: true,
    slate: true,
    slateSeconds: 120,
    multistream: { targets: [{ id: target, profile: 'source' }] },
  });
  let encoder = startEncoder(scope, channel);
  await untilPlayable(channel);
  await waitFor('the target', () => connections[0], timeouts);
  const viewer = new Viewer(scope, channel.playlistUrl);
  await sleep(4_000);
  for (let kill = 0; kill < kills; kill += 1) {
    progress(`kill ${kill + 1} of ${kills}`);
    encoder.kill('SIGKILL');
    await sleep(2_500);
    encoder = startEncoder(scope, channel);
    await sleep(6_000);
  }
  viewer.stop();
  const { longestStallMs, segments } = viewer;
  const measurement = {
    longestStallMs,
    segments,
    connections: connections.length,
    gapMs: largestGapMs(connections),
  };
  encoder.kill('SIGKILL');
  return measurement;
}

/** CPU time of the live process while only slates are on air. */
async function costOfSlates(
  scope: Scope,
  service: Headwater,
  { window, progress }: BenchOptions,
): Promise<number> {
  const live = [service.pidOf('live')];
  for (let index = 0; index < slates; index += 1) {
    progress(`slate ${index + 1} of ${slates}`);
    const channel = await service.createStream(`slate ${index}`, { slate: true, slateSeconds: 600 });
    const encoder = startEncoder(scope, channel);
    await untilPlayable(channel);
    encoder.kill('SIGKILL');
  }
  await sleep(10_000);
  const cpuBefore = cpuSeconds(live);
  await sleep(window * 1_000);
  return ((cpuSeconds(live) - cpuBefore) / window / slates) * 100;
}

export const encoderLoss: Bench = {
  title: 'Loss of an encoder',
  explains: `An encoder of 720p30 is killed ${kills} times, and started again 2.5 s later; its stream has a slate, a recording and an RTMP target. Then ${slates} streams show their slate, and nothing else is on air.`,
  defaults: { runs: 1, window: 30, warmUp: 5 },
  async run(scope, directory, options) {
    const service = await startHeadwater(scope, directory, { EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
    const viewer = await killAgainAndAgain(scope, service, options);
    const cost = await costOfSlates(scope, service, options);
    return markdownTable(
      ['', 'measured'],
      [
        [
          'Longest stall of a viewer with two segments in its buffer',
          `${digits(viewer.longestStallMs / 1_000, 2)} s`,
        ],
        ['Segments it played', String(viewer.segments)],
        ['Connections of the target', String(viewer.connections)],
        ['Largest gap at the target', `${digits(viewer.gapMs, 0)} ms`],
        ['CPU of a slate', `${digits(cost, 2)} % of a core`],
      ],
    );
  },
};
