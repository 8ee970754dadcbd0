import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { encode } from '@/media-worker/live/session/testing/live-stream';
import { readRecordParameterSets } from '@/media-worker/media/cmaf/avc-parameter-sets';
import { createMakeSlate } from './make-slate';
import { createSlateSpec, type Slate } from './slate';
import { openProgram } from './testing/open-program';

const run = promisify(execFile);
const makeSlate = createMakeSlate({ withFile: (_key, use) => use(picturePath) });
const folder = await mkdtemp(join(tmpdir(), 'slate-test-'));
const picturePath = join(folder, 'picture.png');
const packets = await encode({ size: '320x180', seconds: 4, ffmpegArguments: ['-g', '30'] });
const record = packets.find(({ kind, role }) => kind === 'video' && role === 'config')?.payload;
if (!record) throw new Error('no configuration');
const specOf = (title: string, pictureKey: string | null = null) => {
  const slateSpec = createSlateSpec({ codec: 'avc', payload: record }, null, { title, picture: pictureKey });
  if (!slateSpec) throw new Error('no slate specification');
  return slateSpec;
};
const neverAborted = new AbortController().signal;

afterAll(() => rm(folder, { recursive: true }));
afterEach(() => void vi.useRealTimers());

/**
 * Decodes a file.
 * @returns the warnings of ffmpeg, and the checksums of the decoded pictures
 */
async function decode(bytes: readonly Buffer[]) {
  const path = join(folder, 'program.mp4');
  await writeFile(path, Buffer.concat([...bytes]));
  const { stderr, stdout } = await run('ffmpeg', [
    '-v',
    'error',
    '-i',
    path,
    '-map',
    '0:v',
    '-f',
    'framemd5',
    '-',
  ]);
  return { stderr, frames: stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#')) };
}

/** Brightness of the brightest point in the middle of a slate, 0 to 255. */
async function measureMaxBrightness(slate: Slate): Promise<number> {
  vi.useFakeTimers();
  const { program, segments, connect } = openProgram({ slate: true, slateSeconds: 60 }, () =>
    Promise.resolve(slate),
  );
  const encoder = connect();
  encoder.publish(packets.slice(0, 100));
  await vi.advanceTimersByTimeAsync(100);
  encoder.disconnect('lost');
  await vi.advanceTimersByTimeAsync(5_000);
  program.end('finished');
  vi.useRealTimers();
  const lastSegment = segments().at(-1);
  if (!lastSegment) throw new Error('no slate');
  const path = join(folder, 'slate.mp4');
  await writeFile(
    path,
    Buffer.concat([lastSegment.period.initData, ...lastSegment.parts.flatMap(({ data }) => data)]),
  );
  const { stdout } = await run(
    'ffmpeg',
    ['-v', 'error', '-i', path, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
    { encoding: 'buffer' },
  );
  return Math.max(...stdout);
}

describe('a slate', () => {
  test('has two GOPs of 60 frames, one SPS, one PPS and less than 100 kB of video', async () => {
    const slate = await makeSlate(specOf('A title'), neverAborted);
    expect(slate.frames.filter(({ key }) => key)).toHaveLength(2);
    expect(slate.frames).toHaveLength(120);
    const [slateSets, encoderSets] = [readRecordParameterSets(slate.record), readRecordParameterSets(record)];
    expect([slateSets.sps.length, slateSets.pps.length, encoderSets.sps.length]).toEqual([1, 1, 1]);
    expect(slate.frames.reduce((sum, { payload }) => sum + payload.length, 0)).toBeLessThan(100_000);
  });

  test('shows a title with characters that are special in ffmpeg filters', async () => {
    const [titledSlate, untitledSlate] = [
      await makeSlate(specOf("Don't: 100 %{pts} \\ 'x'"), neverAborted),
      await makeSlate(specOf(''), neverAborted),
    ];
    expect(await measureMaxBrightness(untitledSlate)).toBeLessThan(80);
    expect(await measureMaxBrightness(titledSlate)).toBeGreaterThan(150);
  });

  test('shows the picture with the given storage key', async () => {
    await run('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', 'color=white:size=64x64', '-frames:v', '1', '-y', picturePath],
    ]);
    expect(
      await measureMaxBrightness(await makeSlate(specOf('', 'logos/x.png'), neverAborted)),
    ).toBeGreaterThan(200);
  });

  test('alternates with an encoder three times, and ffmpeg decodes every frame without an error', async () => {
    const slate = await makeSlate(specOf('A title'), neverAborted);
    vi.useFakeTimers();
    const { program, segments, connect } = openProgram({ slate: true, slateSeconds: 60 }, () =>
      Promise.resolve(slate),
    );
    for (let round = 0; round < 3; round++) {
      const encoder = connect('primary', round + 1);
      let lastMs = 0;
      for (const packet of packets.toSorted((a, b) => a.dts - b.dts)) {
        await vi.advanceTimersByTimeAsync(Math.max(0, packet.dts - lastMs));
        lastMs = Math.max(lastMs, packet.dts);
        encoder.publish([packet]);
      }
      encoder.disconnect('lost');
      await vi.advanceTimersByTimeAsync(5_000);
    }
    program.end('finished');
    vi.useRealTimers();
    const windowSegments = segments();
    const names = [...new Set(windowSegments.map(({ init }) => init))];
    expect(names).toEqual(['init-1.mp4', 'init-1-1.mp4']);
    for (const name of names) {
      const periodSegments = windowSegments.filter(({ init }) => init === name);
      const init = periodSegments[0]?.period.initData ?? Buffer.alloc(0);
      const { stderr, frames } = await decode([
        init,
        ...periodSegments.flatMap(({ parts }) => parts.flatMap(({ data }) => data)),
      ]);
      expect(stderr).toBe('');
      expect(frames.length).toBe(periodSegments.reduce((sum, { videoFrames }) => sum + videoFrames, 0));
    }
  });
});
