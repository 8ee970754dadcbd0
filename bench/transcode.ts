import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ladderOf } from '@/lib/core/ladder';
import { transcodePlan } from '../media-worker/ffmpeg/transcode-args';
import { assetClient } from './lib/asset-client';
import type { Bench } from './lib/bench';
import { digits, markdownTable, median, ratio } from './lib/figures';
import { startHeadwater } from './lib/headwater';
import { makeLongClip } from './lib/long-clip';

/** A whole file in another rendition, until its asset is ready, beside one plain ffmpeg with the same settings. */

const run = promisify(execFile);
const profile = { name: '720p', width: 1280, height: 720, bitrate: 2_500_000, fps: 0 };
const source = { width: 1920, height: 1080, fps: 30 };
const bitrate = 5_000_000;
const mostMs = 3_600_000;

/** As a person would type it, with the priority that our own has: only what runs beside them differs from run to run. */
function plainWords(input: string, output: string): string[] {
  const [rung] = ladderOf([profile], source).rungs;
  if (!rung) throw new Error('the profile fits no picture');
  const { outputs } = transcodePlan({ input, output, rung });
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
  explains:
    'Ten minutes of 1080p30 (5 Mbit/s) to 720p: from `POST /api/asset/{id}/transcode` until the new asset is `ready`, ' +
    'checks, hashes and HLS included, beside one plain ffmpeg with the same settings and priority, in turns. ' +
    'Goal: at most 1.05 × of its wall time on 2 cores.',
  defaults: { runs: 3, window: 1, warmUp: 1 },
  async run(scope, directory, { seconds, runs, progress }) {
    progress('the file');
    const path = await makeLongClip(directory, { seconds, bitrate, fastStart: true });
    const service = await startHeadwater(scope, directory);
    const client = assetClient(service.baseUrl, await service.createKey('transcoding'));
    const input = await client.upload(path);
    await client.untilReady(input, mostMs);
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let n = 0; n < runs; n++) {
      progress(`run ${n + 1} of ${runs}`);
      const output = join(directory, 'plain.mp4');
      const plain = performance.now();
      await run('nice', plainWords(path, output), { timeout: mostMs });
      theirs.push((performance.now() - plain) / 1_000);
      await rm(output);
      const begin = performance.now();
      const made = await client.transcode(input, profile);
      await client.untilReady(made, mostMs);
      ours.push((performance.now() - begin) / 1_000);
      progress(`ffmpeg ${digits(theirs.at(-1) ?? 0, 1)} s, ready after ${digits(ours.at(-1) ?? 0, 1)} s`);
      await client.remove(made);
    }
    const each = (values: readonly number[]) => values.map((one) => digits(one, 1)).join(' · ');
    return markdownTable(
      ['what', 'to ffmpeg', 'seconds, median', 'each run', 'times real time'],
      [
        ['Headwater, until ready', ratio(median(ours), median(theirs)), digits(median(ours), 1), each(ours), digits(seconds / median(ours), 1)],
        ['plain ffmpeg', '1', digits(median(theirs), 1), each(theirs), digits(seconds / median(theirs), 1)],
      ],
    ); // prettier-ignore
  },
};
