import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { withoutProgram } from '@/media-worker/vod/testing/without-program';
import { probe, ProbeFault } from './probe';

const samples = createSampleFiles();
afterAll(() => samples.remove());

describe('a probe that did not run to its end throws ProbeFault instead of rejecting the file', () => {
  test('if ffprobe is killed', async () => {
    const path = samples.pipe('killed.mp4');
    const failing = expect(probe(path)).rejects.toThrow(ProbeFault);
    const pids = () =>
      spawnSync('pgrep', ['-x', '-f', `ffprobe .*file:${path}`])
        .stdout.toString()
        .split('\n');
    await expect.poll(() => pids()[0]).toMatch(/^\d+$/);
    process.kill(Number(pids()[0]), 'SIGKILL');
    await failing;
  });

  test('if ffprobe exceeds its time', async () => {
    await expect(probe(samples.pipe('slow.mp4'), { timeoutMs: 300 })).rejects.toThrow(/took too long/);
  });

  test('if ffprobe is not installed', async () => {
    const path = samples.make('good.mp4');
    await withoutProgram('ffprobe', async () => expect(probe(path)).rejects.toThrow(ProbeFault));
    expect(await probe(path)).toMatchObject({ ok: true });
  });

  test('if ffprobe cannot open the file', async () => {
    await expect(probe(samples.path('missing.mp4'))).rejects.toThrow(ProbeFault);
  });
});

test('a completed probe rejects a damaged file, and accepts a file name with spaces', async () => {
  const bytes = readFileSync(samples.make('whole.mp4', { output: ['-movflags', '+faststart'] }));
  bytes.fill(0xff, bytes.indexOf('stsd') + 8, bytes.indexOf('stsd') + 60);
  writeFileSync(samples.path('damaged.mp4'), bytes);
  expect(await probe(samples.path('damaged.mp4'))).toEqual({
    ok: false,
    reason: 'the file cannot be read as MP4',
  });
  copyFileSync(samples.path('whole.mp4'), samples.path('name with spaces.mp4'));
  expect(await probe(samples.path('name with spaces.mp4'))).toMatchObject({ ok: true });
});
