import { expect, test } from 'vitest';
import { TranscodeSpeed } from './transcode-speed';
import type { Renditions } from '@/media-worker/media/packaging/rendition';

/** Opens renditions of which only the end of the window is simulated. */
function openSpeed(names: readonly string[]) {
  const createRendition = (name: string) => ({ name, window: { mediaEndMs: 0 } });
  const source = createRendition('source');
  const renditions = names.map(createRendition);
  const all = [source, ...renditions];
  const speed = new TranscodeSpeed({ source, all } as unknown as Renditions);
  /** Adds media to the source and to each rendition, and takes a sample. */
  const step = (sourceMs: number, renditionMs: readonly number[]) => {
    source.window.mediaEndMs += sourceMs;
    renditionMs.forEach((addedMs, index) => {
      const rendition = renditions[index];
      if (rendition) rendition.window.mediaEndMs += addedMs;
    });
    return speed.sample();
  };
  return { step, all };
}

test('the speed is that of the slowest rendition over several samples', () => {
  const { step } = openSpeed(['360p', '720p']);
  expect(step(5_000, [5_000, 4_000])).toBeNull();
  expect(step(5_000, [5_000, 4_000])).toBeNull();
  expect(step(5_000, [5_000, 4_000])).toBeCloseTo(0.8);
  // From the first sample to the fourth, 12.5 s of 15 s were made.
  expect(step(5_000, [5_500, 4_500])).toBeCloseTo(0.833, 2);
});

test('there is no speed without renditions, or before the first frame of one', () => {
  const withoutProfiles = openSpeed([]);
  const withRendition = openSpeed(['360p']);
  for (let round = 0; round < 5; round++) {
    expect(withoutProfiles.step(5_000, [])).toBeNull();
    expect(withRendition.step(5_000, [0])).toBeNull();
  }
});

test('old samples and removed renditions do not count', () => {
  const { step, all } = openSpeed(['360p']);
  for (let round = 0; round < 6; round++) step(5_000, [2_500]);
  for (let round = 0; round < 5; round++) step(5_000, [5_000]);
  expect(step(5_000, [5_000])).toBeCloseTo(1);
  all.pop();
  expect(step(5_000, [])).toBeNull();
});
