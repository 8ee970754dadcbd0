import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, BenchOptions } from './lib/bench';
import { makeClip } from './lib/clip';
import { formatNumber, markdownTable, median, percentile, formatRatio, type Row } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { ContinuityCheck } from './lib/hls-reader';
import { publishAll, readPlaylists } from './lib/live-load';
import { startFfmpegPerStream, startNginxRtmp } from './lib/nginx-rtmp';
import { cpuSeconds, memoryMegabytes } from './lib/process-tree';
import type { RtmpService, StartService } from './lib/rtmp-service';
import { runInScope, type Scope } from './lib/scope';

/** CPU time and memory per stream for ingest and packaging, compared with nginx-rtmp and with one ffmpeg per stream. */

const SEGMENT_SECONDS = 2;

interface Measurement {
  readonly server: string;
  readonly subject: string;
  readonly publishers: number;
  readonly cpuPerStreamMinute: number;
  /** Memory per stream above that of the idle server, and total memory at the end of the window, in MB. */
  readonly memoryPerStream: number;
  readonly memory: number;
  readonly missingSegments: number;
  /** Seconds from the start of each publisher until its first segment could be fetched. */
  readonly startups: readonly number[];
}

async function measure(
  scope: Scope,
  service: RtmpService,
  clip: string,
  publishers: number,
  options: BenchOptions,
): Promise<Measurement[]> {
  // Waits until the CPU and memory peaks of the server's start are over.
  await sleep(2 * options.warmUp * 1000);
  const idleMegabytes = service.measuredProcesses.map(({ pids }) => memoryMegabytes(pids));
  const streams = await service.openStreams(publishers);
  const startups = await publishAll(scope, clip, streams);
  await sleep(options.warmUp * 1000);

  const checks = streams.map(({ playlistUrl }) => new ContinuityCheck(playlistUrl));
  const startedAt = performance.now();
  const cpuBefore = service.measuredProcesses.map(({ pids }) => cpuSeconds(pids));
  await readPlaylists(checks, options.window);
  const cpuAfter = service.measuredProcesses.map(({ pids }) => cpuSeconds(pids));
  const streamMinutes = ((performance.now() - startedAt) / 60_000) * publishers;
  const megabytes = service.measuredProcesses.map(({ pids }) => memoryMegabytes(pids));
  const messages = (await Promise.all(checks.map((check) => check.finish(SEGMENT_SECONDS)))).flat();
  for (const reason of new Set(messages)) options.progress(`${service.name}: ${reason}`);

  return service.measuredProcesses.map(({ subject }, index) => ({
    server: service.name,
    subject,
    publishers,
    cpuPerStreamMinute: ((cpuAfter[index] ?? 0) - (cpuBefore[index] ?? 0)) / streamMinutes,
    memoryPerStream: ((megabytes[index] ?? 0) - (idleMegabytes[index] ?? 0)) / publishers,
    memory: megabytes[index] ?? 0,
    missingSegments: messages.length,
    startups,
  }));
}

function formatResults(results: readonly Measurement[]): string {
  const rows: Row[] = results.map((result) => {
    const findResult = (name: string) =>
      results.find(({ server, publishers }) => server === name && publishers === result.publishers);
    const relativeTo = (name: string) => {
      const otherResult = findResult(name);
      return otherResult ? formatRatio(result.cpuPerStreamMinute, otherResult.cpuPerStreamMinute) : '';
    };
    return [
      result.publishers,
      result.subject === 'everything' ? result.server : `${result.server}: ${result.subject}`,
      relativeTo('nginx-rtmp'),
      relativeTo('one ffmpeg per stream'),
      formatNumber(result.cpuPerStreamMinute, 3),
      formatNumber(result.memoryPerStream, 1),
      formatNumber(result.memory, 0),
      result.missingSegments,
      `${formatNumber(median(result.startups), 2)} / ${formatNumber(percentile(result.startups, 1), 2)}`,
    ];
  });
  return markdownTable(
    [
      'publishers',
      'server',
      'CPU ÷ nginx-rtmp',
      'CPU ÷ ffmpeg per stream',
      'CPU-s per stream-minute',
      'MB per stream over idle',
      'MB in total',
      'missing segments',
      'spawn → playable, median / worst (s)',
    ],
    rows,
  );
}

export const ingestPackaging: Bench = {
  title: 'Ingest and packaging',
  explanation:
    'Publishers send one 720p30 clip (2 Mbit/s H.264 without B-frames + AAC, 2 s GOP) in real time without ' +
    'encoding. Each row starts its server from scratch. The server keeps at least 12 s of 2 s segments, and its ' +
    'whole process tree is measured: CPU over the window, memory as PSS at the end. Every playlist is read ' +
    'every 4 s, and at the end every listed segment is fetched. Goals at 30 publishers: at most 0.30 CPU-s ' +
    'per stream-minute and 1.9 × nginx-rtmp, at most 8 MB per stream, no missing segment. In "One ffmpeg per ' +
    'stream", nginx-rtmp receives the publish and `ffmpeg -c copy -f hls` pulls it. That ffmpeg joins at the ' +
    'second keyframe, so it starts late.',
  defaults: { runs: 1, window: 18, warmUp: 14 },
  async run(scope, directory, options) {
    const clip = await makeClip(directory);
    const servers: Record<string, StartService> = {
      headwater: startHeadwater,
      nginx: startNginxRtmp,
      ffmpeg: startFfmpegPerStream,
    };
    const results: Measurement[] = [];
    for (const publishers of options.publishers) {
      for (const name of options.servers) {
        const startServer = servers[name];
        if (!startServer) throw new Error(`--servers: expected some of ${Object.keys(servers).join(', ')}`);
        options.progress(`${name}, ${publishers} publishers`);
        results.push(
          ...(await runInScope(scope, async (innerScope) => {
            const service = await startServer(innerScope, directory);
            return measure(innerScope, service, clip, publishers, options);
          })),
        );
      }
    }
    return formatResults(results);
  },
};
