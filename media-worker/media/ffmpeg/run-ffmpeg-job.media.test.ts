import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { FfmpegFailed, FfmpegKilled, runFfmpegJob } from './run-ffmpeg-job';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { withoutProgram } from '@/media-worker/vod/testing/without-program';

const samples = createSampleFiles();
afterAll(() => samples.remove());

const job = { signal: new AbortController().signal, durationSeconds: 60 };
const planWithInput = (url: string) => ({
  inputs: [{ options: ['-re', '-f', 'lavfi', '-t', '60'], url }],
  outputs: [{ options: ['-f', 'null'], url: '-' }],
});

test('a killed ffmpeg throws FfmpegKilled, which allows a retry', async () => {
  const url = 'color=size=16x16:rate=7';
  const running = runFfmpegJob(planWithInput(url), job);
  const failing = expect(running).rejects.toThrow(FfmpegKilled);
  const pid = () =>
    spawnSync('pgrep', ['-P', String(process.pid), '-f', url])
      .stdout.toString()
      .trim();
  // Wait until the wrapper script has executed ffmpeg.
  const processName = () => spawnSync('ps', ['-o', 'comm=', '-p', pid()]).stdout.toString();
  await expect.poll(processName).toMatch(/ffmpeg/);
  process.kill(Number(pid()), 'SIGKILL');
  await failing;
});

test('a stalled or missing ffmpeg throws FfmpegKilled, which allows a retry', async () => {
  const stuckPlan = {
    ...planWithInput(''),
    inputs: [{ options: [], url: `file:${samples.pipe('pipe.mp4')}` }],
  };
  await expect(runFfmpegJob(stuckPlan, { ...job, stallTimeoutMs: 300 })).rejects.toThrow(FfmpegKilled);
  await withoutProgram('ffmpeg', () =>
    expect(runFfmpegJob(planWithInput('nullsrc'), job)).rejects.toThrow(FfmpegKilled),
  );
});

test('media that ffmpeg cannot read throws FfmpegFailed, which allows no retry', async () => {
  await expect(runFfmpegJob(planWithInput('no-such-filter'), job)).rejects.toThrow(FfmpegFailed);
  writeFileSync(samples.path('text.mp4'), 'no media at all');
  const textPlan = {
    ...planWithInput(''),
    inputs: [{ options: ['-f', 'mov'], url: `file:${samples.path('text.mp4')}` }],
  };
  await expect(runFfmpegJob(textPlan, job)).rejects.toThrow(FfmpegFailed);
});
