import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FfmpegPlan } from './plan';
import { runFfmpeg, type FfmpegProgress } from './run';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ffmpeg-run-'));
});
afterAll(() => rm(folder, { recursive: true }));

const planPattern = (seconds: number, file: string, realTime = false): FfmpegPlan => ({
  inputs: [
    {
      options: [...(realTime ? ['-re'] : []), '-f', 'lavfi', '-t', String(seconds)],
      url: 'testsrc2=size=160x90:rate=10',
    },
  ],
  outputs: [{ options: ['-c:v', 'libx264', '-preset', 'ultrafast'], url: join(folder, file) }],
});

/** Waits until ffmpeg reports progress, without a time limit for its start. */
function watchProgress() {
  let seconds = 0;
  return {
    onProgress: (update: FfmpegProgress) => void (seconds = update.seconds),
    reachSeconds: (target: number) => expect.poll(() => seconds).toBeGreaterThan(target),
  };
}

test('kills an ffmpeg that ignores SIGTERM', async () => {
  const { onProgress, reachSeconds } = watchProgress();
  const run = runFfmpeg(planPattern(60, 'deaf.mp4', true), { onProgress });
  await reachSeconds(0);
  const pid = execFileSync('pgrep', ['-f', join(folder, 'deaf.mp4')])
    .toString()
    .trim()
    .split('\n')[0];
  // A stopped process does not handle SIGTERM.
  process.kill(Number(pid), 'SIGSTOP');
  expect(await run.stop()).toMatchObject({
    ok: false,
    reason: expect.stringContaining('SIGKILL') as string,
  });
});
