import { expect, test } from 'vitest';
import { formatStoryboardCues, layOutStoryboard } from './storyboard';

test('a storyboard has at most a hundred frames, at least a second apart, in the shape of the video', () => {
  expect(layOutStoryboard(12, 16 / 9)).toEqual({
    intervalSeconds: 1,
    width: 160,
    height: 90,
    columns: 5,
    rows: 5,
  });
  expect(layOutStoryboard(3_600, 9 / 16)).toMatchObject({ intervalSeconds: 36, height: 284 });
});

test('each cue references its area of a sheet, and the last cue ends with the video', () => {
  const layout = layOutStoryboard(2_750, 16 / 9);
  const cues = formatStoryboardCues(layout, 2_750, 4).trim().split('\n\n').slice(1);
  // 2,750 s with an interval of 28 s are 99 frames, 25 on each sheet of 5 × 5.
  expect(cues).toHaveLength(99);
  expect(cues[6]).toBe('00:02:48.000 --> 00:03:16.000\nstoryboard-1.jpg#xywh=160,90,160,90');
  expect(cues.at(-1)).toBe('00:45:44.000 --> 00:45:50.000\nstoryboard-4.jpg#xywh=480,360,160,90');
  expect(formatStoryboardCues(layout, 2_750, 1).match(/-->/g)).toHaveLength(25);
});
