import { setTimeout as sleep } from 'node:timers/promises';
import { encodedFrames, NativePublisher } from '@/media-worker/rtc/testing/native-publisher';
import type { Bench, BenchOptions } from './lib/bench';
import { digits, markdownTable, type Row } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { ContinuityCheck } from './lib/hls-reader';
import { watch } from './lib/live-load';
import { freePorts } from './lib/network';
import { cpuSeconds, memoryMegabytes } from './lib/process-tree';
import { within, type Scope } from './lib/scope';

/** WebRTC publishers: cost per stream in the process that has their connections, and in the live process behind it. */

/** x264 inserts a keyframe every two seconds, and the server requests none. */
const segmentSeconds = 2;

async function measure(
  scope: Scope,
  directory: string,
  publishers: number,
  options: BenchOptions,
): Promise<Row[]> {
  const [rtcPort = 0] = await freePorts(1);
  const service = await startHeadwater(scope, directory, { RTC_PORT: String(rtcPort) });
  const frames = encodedFrames(4);
  const channels = await service.openChannels(publishers);
  const parts = [
    { what: 'rtc', pids: [service.pidOf('rtc')] },
    { what: 'live', pids: [service.pidOf('live')] },
  ];
  const idle = parts.map(({ pids }) => memoryMegabytes(pids));
  for (const { publishUrl } of channels) {
    const publisher = new NativePublisher();
    scope.defer(() => publisher.close());
    await publisher.connect(`${service.cdnUrl}/webrtc/${publishUrl.split('/').at(-1) ?? ''}`);
    publisher.send(frames);
  }
  await sleep(options.warmUp * 1_000);
  const checks = channels.map(({ playlistUrl }) => new ContinuityCheck(playlistUrl));
  const [from, before] = [performance.now(), parts.map(({ pids }) => cpuSeconds(pids))];
  await watch(checks, options.window);
  const after = parts.map(({ pids }) => cpuSeconds(pids));
  const streamMinutes = ((performance.now() - from) / 60_000) * publishers;
  const missing = (await Promise.all(checks.map((check) => check.finish(segmentSeconds)))).flat();
  return parts.map(({ what, pids }, index) => [
    publishers,
    what,
    digits(((after[index] ?? 0) - (before[index] ?? 0)) / streamMinutes, 3),
    digits((memoryMegabytes(pids) - (idle[index] ?? 0)) / publishers, 1),
    missing.length,
  ]);
}

export const whip: Bench = {
  title: 'WebRTC publishers',
  explains:
    'Publishers send one 720p30 video (2 Mbit/s H.264 without B-frames, 2 s GOP) by WHIP in real time, without encoding and ' +
    'without audio: audio costs one more ffmpeg per stream, whatever the number of publishers (ADR 91). Goal at ten publishers: at most ' +
    '0.35 CPU-s per stream-minute in the process that has the connections.',
  defaults: { runs: 1, window: 60, warmUp: 15 },
  async run(scope, directory, options) {
    const rows: Row[] = [];
    for (const publishers of options.publishers) {
      options.progress(`${publishers} publishers`);
      rows.push(...(await within(scope, (inner) => measure(inner, directory, publishers, options))));
    }
    return markdownTable(
      ['publishers', 'process', 'CPU-s per stream-minute', 'MB per stream over idle', 'missing segments'],
      rows,
    );
  },
};
