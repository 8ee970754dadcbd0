import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLadder } from '@/lib/core/renditions/ladder';
import { planTranscode } from '../media-worker/media/ffmpeg/transcode-args';
import { createAssetClient } from './lib/asset-client';
import type { Bench } from './lib/bench';
import { formatNumber, markdownTable, median, formatRatio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { makeLongClip } from './lib/long-clip';
import { waitFor } from './lib/network';
import { cpuSeconds, endedChildrenSeconds } from './lib/process-tree';

/** Time to transcode a file until its asset is ready, compared with one plain ffmpeg with the same settings. */

const execFileAsync = promisify(execFile);
const profile = { name: '720p', width: 1280, height: 720, bitrate: 2_500_000, fps: 0 };
const source = { width: 1920, height: 1080, fps: 30 };
const BITRATE = 5_000_000;
/** Timeout of one import or transcode. */
const TIMEOUT_MS = 3_600_000;
/** Interval at which a transcode is polled; polling uses CPU time. */
const POLL_INTERVAL_MS = 500;

interface Measurement {
  readonly seconds: number;
  /** CPU seconds of the measured process and its descendants. */
  readonly cpu: number;
}

async function measure(work: () => Promise<unknown>, cpu: () => number): Promise<Measurement> {
  const [startedAt, cpuBefore] = [performance.now(), cpu()];
  await work();
  return { seconds: (performance.now() - startedAt) / 1_000, cpu: cpu() - cpuBefore };
}

/** Waits until a process uses almost no CPU time, because storyboards are made after an asset is ready. */
async function waitUntilIdle(pid: number): Promise<void> {
  let cpuBefore = Infinity;
  const checkIdle = () => {
    const cpuNow = cpuSeconds([pid]);
    const isIdle = cpuNow - cpuBefore < 0.1;
    cpuBefore = cpuNow;
    return isIdle || undefined;
  };
  await waitFor('the end of other work', checkIdle, { timeoutMs: 300_000, everyMs: 3_000 });
}

/** Arguments of `nice` for a plain ffmpeg command with the priority and settings of the service. */
function plainArguments(input: string, output: string): string[] {
  const [rendition] = createLadder([profile], source).renditions;
  if (!rendition) throw new Error('the profile fits no picture');
  const { outputs } = planTranscode({ input, output, rendition });
  return [
    '-n',
    '10',
    'ffmpeg',
    '-v',
    'error',
    '-nostdin',
    '-i',
    input,
    ...(outputs[0]?.options ?? []),
    output,
  ];
}

export const transcode: Bench = {
  title: 'Transcoding a file',
  explanation:
    'Ten minutes of 1080p30 (5 Mbit/s) are transcoded to 720p. The time runs from `POST /api/asset/{id}/transcode` until ' +
    'the new asset is `ready`, with checks, hashes, poster and HLS. In turns with that, one plain ffmpeg writes one MP4 with ' +
    'the same settings (scaling, encoder, preset, bitrate, keyframes, copied audio, index in front) and ' +
    'priority. The CPU time is that of the process that runs tasks and of everything it starts. Goal: ' +
    'at most 1.05 × the wall time of ffmpeg on 2 cores.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  async run(scope, directory, { seconds, runs, progress }) {
    progress('the file');
    const path = await makeLongClip(directory, { seconds, bitrate: BITRATE, fastStart: true });
    const service = await startHeadwater(scope, directory);
    const client = createAssetClient(service.baseUrl, await service.createApiKey('transcoding'));
    const assetId = await client.upload(path);
    await client.waitUntilReady(assetId, TIMEOUT_MS);
    const jobsPid = service.pidOf('jobs');
    const [headwaterRuns, ffmpegRuns]: [Measurement[], Measurement[]] = [[], []];
    for (let n = 0; n < runs; n++) {
      progress(`run ${n + 1} of ${runs}`);
      const output = join(directory, 'plain.mp4');
      await waitUntilIdle(jobsPid);
      const ffmpegRun = await measure(
        () => execFileAsync('nice', plainArguments(path, output), { timeout: TIMEOUT_MS }),
        endedChildrenSeconds,
      );
      ffmpegRuns.push(ffmpegRun);
      await rm(output);
      const transcodeAsset = async () => {
        const renditionId = await client.transcode(assetId, profile);
        await client.waitUntilReady(renditionId, TIMEOUT_MS, POLL_INTERVAL_MS);
        return renditionId;
      };
      const renditionIds: string[] = [];
      const headwaterRun = await measure(
        async () => renditionIds.push(await transcodeAsset()),
        () => cpuSeconds([jobsPid]),
      );
      headwaterRuns.push(headwaterRun);
      progress(
        `ffmpeg ${formatNumber(ffmpegRun.seconds, 1)} s, ready after ${formatNumber(headwaterRun.seconds, 1)} s; ` +
          `CPU ${formatNumber(ffmpegRun.cpu, 1)} and ${formatNumber(headwaterRun.cpu, 1)} s`,
      );
      for (const id of renditionIds) await client.deleteAsset(id);
    }
    const formatTimes = (values: readonly Measurement[]) =>
      values.map((measurement) => formatNumber(measurement.seconds, 1)).join(' · ');
    const formatRow = (label: string, values: readonly Measurement[]) => {
      const [wall, cpu] = [
        median(values.map((measurement) => measurement.seconds)),
        median(values.map((measurement) => measurement.cpu)),
      ];
      const ratioToFfmpeg = (read: (measurement: Measurement) => number) =>
        formatRatio(median(values.map(read)), median(ffmpegRuns.map(read)));
      return [
        label,
        ratioToFfmpeg((measurement) => measurement.seconds),
        formatNumber(wall, 1),
        formatTimes(values),
        formatNumber(seconds / wall, 1),
        formatNumber(cpu, 1),
        ratioToFfmpeg((measurement) => measurement.cpu),
      ];
    };
    return markdownTable(
      [
        'what',
        'to ffmpeg',
        'seconds, median',
        'each run',
        'times real time',
        'CPU seconds, median',
        'CPU to ffmpeg',
      ],
      [formatRow('Headwater, until ready', headwaterRuns), formatRow('plain ffmpeg', ffmpegRuns)],
    );
  },
};
