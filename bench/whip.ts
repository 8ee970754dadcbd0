import { setTimeout as sleep } from 'node:timers/promises';
import { cleanup } from 'node-datachannel';
import { encodeFrames, NativePublisher } from '@/media-worker/rtc/testing/native-publisher';
import type { Bench, BenchOptions } from './lib/bench';
import { formatNumber, markdownTable, type Row } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { ContinuityCheck } from './lib/hls-reader';
import { readPlaylists } from './lib/live-load';
import { findFreePorts } from './lib/network';
import { cpuSeconds, memoryMegabytes } from './lib/process-tree';
import { runInScope, type Scope } from './lib/scope';

/** WebRTC publishers: cost per stream in the rtc process, which has their connections, and in the live process. */

/** x264 inserts a keyframe every two seconds, and the server requests none. */
const SEGMENT_SECONDS = 2;

async function measure(
  scope: Scope,
  directory: string,
  publishers: number,
  options: BenchOptions,
): Promise<Row[]> {
  const [rtcPort = 0] = await findFreePorts(1);
  const service = await startHeadwater(scope, directory, { RTC_PORT: String(rtcPort) });
  const frames = encodeFrames(4);
  const streams = await service.openStreams(publishers);
  const measuredRoles = [
    { description: 'rtc', pids: [service.pidOf('rtc')] },
    { description: 'live', pids: [service.pidOf('live')] },
  ];
  const idleMegabytes = measuredRoles.map(({ pids }) => memoryMegabytes(pids));
  for (const { publishUrl } of streams) {
    const publisher = new NativePublisher();
    scope.defer(() => publisher.close());
    await publisher.publish(`${service.cdnUrl}/webrtc/${publishUrl.split('/').at(-1) ?? ''}`);
    publisher.startSending(frames);
  }
  await sleep(options.warmUp * 1_000);
  const checks = streams.map(({ playlistUrl }) => new ContinuityCheck(playlistUrl));
  const [startedAt, cpuBefore] = [performance.now(), measuredRoles.map(({ pids }) => cpuSeconds(pids))];
  await readPlaylists(checks, options.window);
  const cpuAfter = measuredRoles.map(({ pids }) => cpuSeconds(pids));
  const streamMinutes = ((performance.now() - startedAt) / 60_000) * publishers;
  const messages = (await Promise.all(checks.map((check) => check.finish(SEGMENT_SECONDS)))).flat();
  return measuredRoles.map(({ description, pids }, index) => [
    publishers,
    description,
    formatNumber(((cpuAfter[index] ?? 0) - (cpuBefore[index] ?? 0)) / streamMinutes, 3),
    formatNumber((memoryMegabytes(pids) - (idleMegabytes[index] ?? 0)) / publishers, 1),
    messages.length,
  ]);
}

export const whip: Bench = {
  title: 'WebRTC publishers',
  explanation:
    'Publishers send one 720p30 video (2 Mbit/s H.264 without B-frames, 2 s GOP) by WHIP in real time, without encoding and ' +
    'without audio: audio costs one more ffmpeg per stream, whatever the number of publishers (ADR 91). Goal at ten publishers: at most ' +
    '0.35 CPU-s per stream-minute in the process that has the connections.',
  defaults: { runs: 1, window: 60, warmUp: 15 },
  async run(scope, directory, options) {
    // node-datachannel's threads would keep the process alive.
    scope.defer(cleanup);
    const rows: Row[] = [];
    for (const publishers of options.publishers) {
      options.progress(`${publishers} publishers`);
      rows.push(...(await runInScope(scope, (inner) => measure(inner, directory, publishers, options))));
    }
    return markdownTable(
      ['publishers', 'process', 'CPU-s per stream-minute', 'MB per stream over idle', 'missing segments'],
      rows,
    );
  },
};
