import { expect, test } from 'vitest';
import { TranscodeSpeed } from './transcode-speed';
import type { Renditions } from '@/media-worker/media/packaging/rendition';

/** Opens renditions of which only the end of the window is simulated. */
function open(names: readonly string[]) {
  const make = (name: string) => ({ name, window: { mediaEndMs: 0 } });
  const source = make('source');
  const renditions = names.map(make);
  const all = [source, ...renditions];
  const speed = new TranscodeSpeed({ source, all } as unknown as Renditions);
  const step = (ms: number, madeMs: readonly number[]) => {
    source.window.mediaEndMs += ms;
    madeMs.forEach((by, index) => {
      const rendition = renditions[index];
      if (rendition) rendition.window.mediaEndMs += by;
    });
    return speed.sample();
  };
  return { step, all };
}

test('the slowest rendition counts, over several samples', () => {
  const { step } = open(['360p', '720p']);
  expect(step(5_000, [5_000, 4_000])).toBeNull();
  expect(step(5_000, [5_000, 4_000])).toBeNull();
  expect(step(5_000, [5_000, 4_000])).toBeCloseTo(0.8);
  expect(step(5_000, [5_500, 4_500])).toBeCloseTo(0.833, 2);
});

test('there is no speed without renditions, or before the first frame of one', () => {
  const withoutProfiles = open([]);
  const withRendition = open(['360p']);
  for (let round = 0; round < 5; round++) {
    expect(withoutProfiles.step(5_000, [])).toBeNull();
    expect(withRendition.step(5_000, [0])).toBeNull();
  }
});

test('old samples and removed renditions do not count', () => {
  const { step, all } = open(['360p']);
  for (let round = 0; round < 6; round++) step(5_000, [2_500]);
  for (let round = 0; round < 5; round++) step(5_000, [5_000]);
  expect(step(5_000, [5_000])).toBeCloseTo(1);
  all.pop();
  expect(step(5_000, [])).toBeNull();
});
