import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RenditionSpec } from '@/lib/core/renditions/ladder';
import { planRenditions } from './rendition-args';

const renditionSpec = (specChange: Partial<RenditionSpec> = {}): RenditionSpec => ({
  name: '360p',
  width: 640,
  height: 360,
  bitrate: 800_000,
  fps: null,
  quality: null,
  gopFrames: null,
  profile: 'main',
  ...specChange,
});
const planOf = (...renditions: RenditionSpec[]) =>
  planRenditions(
    renditions.map((spec, index) => ({ rendition: spec, socketPath: `/s/${index}` })),
    { format: 'flv', colors: 'kept' },
  );
const outputArgsOf = (specChange: Partial<RenditionSpec>) =>
  planOf(renditionSpec(specChange)).outputs[0]?.options.join(' ') ?? '';
const filterGraphOf = (...renditions: RenditionSpec[]) => {
  const options = planOf(...renditions).inputs.flatMap((input) => input.options);
  return options[options.indexOf('-filter_complex') + 1];
};

describe('planRenditions', () => {
  test('decodes once and writes each rendition to its socket', () => {
    const plan = planOf(renditionSpec(), renditionSpec({ width: 320, height: 180 }));
    expect(plan.inputs.map(({ url }) => url)).toEqual(['pipe:0']);
    expect(plan.outputs.map(({ url }) => url)).toEqual(['unix:/s/0', 'unix:/s/1']);
    expect(filterGraphOf(renditionSpec(), renditionSpec({ width: 320, height: 180 }))).toBe(
      '[0:v]split=2[s0][s1];[s0]scale=640:360,setsar=1,format=yuv420p[v0];[s1]scale=320:180,setsar=1,format=yuv420p[v1]',
    );
    expect(filterGraphOf(renditionSpec())).toBe('[0:v]scale=640:360,setsar=1,format=yuv420p[v0]');
  });

  test('keeps the times and keyframes of the source', () => {
    expect(planOf(renditionSpec()).inputs[0]?.options).toContain('-copyts');
    const options = outputArgsOf({});
    expect(options).toContain('-force_key_frames source');
    expect(options).toContain('-fps_mode passthrough -enc_time_base 1:1000');
    expect(options).toContain('-sc_threshold 0 -g 600');
  });

  test.each([
    [{}, '-b:v 800000 -maxrate 880000 -bufsize 1200000'],
    [{ quality: 23 }, '-crf 23 -maxrate 880000 -bufsize 1200000'],
    [{ profile: 'baseline' as const }, '-profile:v baseline'],
    [{ gopFrames: 48 }, '-g 48'],
    [{ gopFrames: 4_000 }, '-g 600'],
  ])('sets the encoder options for %j', (specChange, options) => {
    expect(outputArgsOf(specChange)).toContain(options);
  });
});

describe('the result of ffmpeg', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rendition-args-'));
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=30', '-t', '4', '-bf', '2'],
      ...[
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-pix_fmt',
        'yuv420p',
        '-g',
        '600',
        '-sc_threshold',
        '0',
      ],
      ...['-force_key_frames', '0,0.7,2.1,3.0333', join(folder, 'source.flv')],
    ]);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Runs the plan with files instead of pipe and socket. */
  function encodeRendition(spec: RenditionSpec): { frames: number[]; keys: number[] } {
    const { inputs, outputs } = planOf(spec);
    const file = join(folder, `${spec.name}.flv`);
    execFileSync('ffmpeg', [
      ...['-v', 'error', '-y', ...(inputs[0]?.options ?? []), '-i', join(folder, 'source.flv')],
      ...(outputs[0]?.options ?? []),
      file,
    ]);
    return readTimes(file);
  }

  function readTimes(file: string): { frames: number[]; keys: number[] } {
    const entries = ['-show_entries', 'packet=pts,flags', '-of', 'csv=p=0'];
    const lines = execFileSync('ffprobe', ['-v', 'error', ...entries, file])
      .toString()
      .trim()
      .split('\n');
    const packets = lines.map((line) => line.split(',')).toSorted((a, b) => Number(a[0]) - Number(b[0]));
    return {
      frames: packets.map(([pts]) => Number(pts)),
      keys: packets.filter(([, flags]) => flags?.startsWith('K')).map(([pts]) => Number(pts)),
    };
  }

  test('has every frame of the source at its time, and its keyframes', () => {
    expect(encodeRendition(renditionSpec({ name: 'all', width: 160, height: 90 }))).toEqual(
      readTimes(join(folder, 'source.flv')),
    );
  });

  test.each([15, 24, 10, 29])('has every keyframe at %d frames per second', (fps) => {
    const source = readTimes(join(folder, 'source.flv'));
    const { frames, keys } = encodeRendition(
      renditionSpec({ name: `at${fps}`, width: 160, height: 90, fps }),
    );
    expect(keys).toEqual(source.keys);
    expect(source.frames).toEqual(expect.arrayContaining(frames));
    // Each keyframe restarts the frame selection, which adds at most one frame.
    expect(frames.length).toBeGreaterThanOrEqual(4 * fps - 1);
    expect(frames.length).toBeLessThanOrEqual(4 * fps + keys.length);
  });
});
