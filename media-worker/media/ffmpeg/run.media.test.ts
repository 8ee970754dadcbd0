import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { drawTextTestPlan, planTestPattern } from './live-args';
import { writeOptionFile } from './push-args';
import type { FfmpegPlan } from './plan';
import { runFfmpeg, type FfmpegProgress } from './run';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ffmpeg-run-'));
});
afterEach(() => void vi.useRealTimers());
afterAll(() => rm(folder, { recursive: true }));

/** Stops the timers that would send SIGTERM and SIGKILL, so that ffmpeg has unlimited time to stop on a busy machine. */
const useUnlimitedStopTime = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

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

describe('planTestPattern', () => {
  const outputArgs = (drawsClock: boolean) =>
    planTestPattern({ url: 'rtmp://h/', secretsFile: '/options', drawsClock }).outputs.flatMap(
      ({ options }) => options,
    );

  test('is 720p30 with a keyframe every 2 s and a tone, as FLV, and names only the file of its secrets', () => {
    const plan = planTestPattern({ url: 'rtmp://h/', secretsFile: '/options', drawsClock: false });
    expect(plan.inputs.map(({ url }) => url)).toEqual([
      'testsrc2=size=1280x720:rate=30',
      'sine=frequency=440:sample_rate=48000',
    ]);
    expect(plan.inputs.every(({ options }) => options[0] === '-re')).toBe(true);
    expect(outputArgs(false).join(' ')).toContain('-g 60 -keyint_min 60 -sc_threshold 0');
    expect(outputArgs(false).slice(-2)).toEqual(['-f', 'flv']);
    expect(plan.outputs[0]?.url).toBe('rtmp://h/');
    expect(outputArgs(false).join(' ')).toContain('-fpre /options');
  });

  test('draws the time only if the caller says that ffmpeg can draw text', () => {
    expect(outputArgs(true).join(' ')).toContain('drawtext');
    expect(outputArgs(false).join(' ')).not.toContain('drawtext');
  });

  test('is encoded by the installed ffmpeg as H.264 of 720p30, and AAC', async () => {
    const canDrawText = (await runFfmpeg(drawTextTestPlan).whenDone).ok;
    const url = join(folder, 'pattern.flv');
    const secretsFile = await writeOptionFile('rw_timeout=9000000\n');
    const { onProgress, reachSeconds } = watchProgress();
    const run = runFfmpeg(planTestPattern({ url, secretsFile, drawsClock: canDrawText }), { onProgress });
    await reachSeconds(1);
    useUnlimitedStopTime();
    expect(await run.stop()).toEqual({ ok: true });
    const output = execFileSync('ffprobe', [
      ...['-v', 'error', '-show_entries', 'stream=codec_name,width,height,r_frame_rate', '-of', 'csv=p=0'],
      url,
    ]).toString();
    expect(output.trim().split('\n')).toEqual(['h264,1280,720,30/1', 'aac,0/0']);
  });
});

describe('runFfmpeg', () => {
  test('reports success', async () => {
    expect(await runFfmpeg(planPattern(1, 'well.mp4')).whenDone).toEqual({ ok: true });
    expect((await stat(join(folder, 'well.mp4'))).size).toBeGreaterThan(0);
  });

  test('reports progress', async () => {
    const progressEvents: FfmpegProgress[] = [];
    const run = runFfmpeg(planPattern(3, 'progress.mp4', true), {
      onProgress: (progress) => progressEvents.push(progress),
    });
    await run.whenDone;
    const seconds = progressEvents.map((progress) => progress.seconds);
    expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
    expect(seconds.at(-1)).toBeGreaterThan(2);
    // The value depends on the machine's speed.
    expect(progressEvents.at(-1)?.speed).toBeGreaterThan(0);
  });

  test('reports an error without the secret in its URL', async () => {
    const plan = {
      ...planPattern(1, 'x'),
      outputs: [{ options: ['-f', 'flv'], url: 'rtmp://127.0.0.1:1/live/sesame' }],
    };
    const result = await runFfmpeg(plan, { secrets: ['sesame'] }).whenDone;
    expect(result).toMatchObject({
      ok: false,
      reason: expect.stringContaining('Connection refused') as string,
    });
    expect(JSON.stringify(result)).not.toContain('sesame');
  });

  test('concurrent runs in sandboxes each have access to their own files', async () => {
    const [firstFile, secondFile, thirdFile] = ['together-1.mp4', 'together-2.mp4', 'together-3.mp4'];
    const sandbox = { memory: 4_000_000_000, fileSize: 2 ** 30 };
    const copyPlan = (name: string): FfmpegPlan => ({
      inputs: [{ options: ['-f', 'mov'], url: `file:${join(folder, name)}` }],
      outputs: [{ options: ['-c', 'copy'], url: join(folder, 'copies', name) }],
    });
    await mkdir(join(folder, 'copies'));
    expect(
      await Promise.all(
        [firstFile, secondFile, thirdFile].map((name) => runFfmpeg(planPattern(1, name)).whenDone),
      ),
    ).toEqual(Array(3).fill({ ok: true }));
    const unsandboxedRun = runFfmpeg(planPattern(1, 'plain.mp4')).whenDone;
    const copies = [firstFile, secondFile, thirdFile].map(
      (name) => runFfmpeg(copyPlan(name), { sandbox }).whenDone,
    );
    expect(await Promise.all([unsandboxedRun, ...copies])).toEqual(Array(4).fill({ ok: true }));
  });

  test('finishes its file when it is stopped', async () => {
    const { onProgress, reachSeconds } = watchProgress();
    const run = runFfmpeg(planPattern(60, 'stopped.mp4', true), { onProgress });
    await reachSeconds(0.5);
    useUnlimitedStopTime();
    expect(await Promise.all([run.stop(), run.stop()])).toEqual([{ ok: true }, { ok: true }]);
    expect((await readFile(join(folder, 'stopped.mp4'))).includes('moov')).toBe(true);
  });

  test('ends on its signal, even if the signal was aborted before the start', async () => {
    const ending = new AbortController();
    const { onProgress, reachSeconds } = watchProgress();
    // The input lasts an hour in real time, so only the signal can end it.
    const run = runFfmpeg(planPattern(3_600, 'aborted.mp4', true), { signal: ending.signal, onProgress });
    await reachSeconds(2);
    const result = await Promise.race([run.whenDone, Promise.resolve('runs')]);
    expect(result).toBe('runs');
    useUnlimitedStopTime();
    ending.abort();
    await run.whenDone;
    const abortedAtStart = runFfmpeg(planPattern(3_600, 'never.mp4', true), { signal: AbortSignal.abort() });
    await abortedAtStart.whenDone;
    const files = await Promise.all(['aborted.mp4', 'never.mp4'].map((file) => stat(join(folder, file))));
    const [abortedSize, emptySize] = files.map(({ size }) => size);
    expect(emptySize).toBeLessThan(abortedSize ?? 0);
  });

  test('runs at the requested niceness', async () => {
    const { onProgress, reachSeconds } = watchProgress();
    const run = runFfmpeg(planPattern(60, 'nice.mp4', true), { nice: 10, onProgress });
    await reachSeconds(0);
    const output = execFileSync('ps', ['-eo', 'ni,args']).toString().split('\n');
    expect(output.find((line) => line.includes('nice.mp4') && line.includes('ffmpeg '))).toMatch(
      new RegExp(`^\\s*${Math.min(19, getPriority() + 10)} `),
    );
    await run.stop();
  });

  const planFromStdin = (file: string): FfmpegPlan => ({
    inputs: [{ options: ['-f', 'flv'], url: 'pipe:0' }],
    outputs: [{ options: ['-c', 'copy'], url: join(folder, file) }],
  });
  const encodeFlv = () =>
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10', '-t', '3'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-f', 'flv', 'pipe:1'],
    ]);

  test('reads its standard input to the end', async () => {
    const media = encodeFlv();
    const stdin = Readable.from([media.subarray(0, 5_000), media.subarray(5_000)]);
    expect(await runFfmpeg(planFromStdin('stdin.mp4'), { stdin }).whenDone).toEqual({ ok: true });
    const frames = execFileSync('ffprobe', [
      ...['-v', 'error', '-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'],
      join(folder, 'stdin.mp4'),
    ]).toString();
    expect(frames.trim()).toBe('30');
    expect(stdin.destroyed).toBe(true);
  });

  test('destroys its standard input when it is stopped early', async () => {
    const stdin = new PassThrough();
    stdin.write(encodeFlv());
    const run = runFfmpeg(planFromStdin('half.mp4'), { stdin });
    await expect.poll(() => stdin.readableLength).toBe(0);
    useUnlimitedStopTime();
    expect(await run.stop()).toEqual({ ok: true });
    expect(stdin.destroyed).toBe(true);
  });
});
