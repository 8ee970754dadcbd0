import { expect, test } from 'vitest';
import { bufferedUntil, formatPosition, startOfWindow, timelineOf } from './timeline';
import { formatTimecode } from './timecode';

function createMedia(duration: number, ranges: readonly (readonly [number, number])[] = []) {
  const seekable = {
    length: ranges.length,
    start: (index: number) => ranges[index]?.[0] ?? 0,
    end: (index: number) => ranges[index]?.[1] ?? 0,
  };
  return { duration, seekable };
}

test('the timeline of a video is its duration, that of a live stream its window', () => {
  expect(timelineOf(createMedia(62.5, [[0, 62.5]]))).toEqual({ start: 0, end: 62.5, live: false });
  expect(timelineOf(createMedia(Infinity, [[100, 112]]))).toEqual({ start: 100, end: 112, live: true });
});

test.each([
  ['of unknown duration', createMedia(NaN)],
  ['of zero duration', createMedia(0)],
  ['that are live, without a seekable range', createMedia(Infinity)],
  ['that are live, with a seekable range of only 4 s', createMedia(Infinity, [[5, 9]])],
])('media %s have no timeline', (_, media) => {
  expect(timelineOf(media)).toBeNull();
});

test('positions are formatted as timecodes, or as distance to the live edge', () => {
  expect([-1, 0, 65.9, 3_845].map(formatTimecode)).toEqual(['0:00', '0:00', '1:05', '1:04:05']);
  const liveTimeline = { start: 100, end: 112, live: true };
  expect(formatPosition(liveTimeline, 111.5)).toBe('Live');
  expect(formatPosition(liveTimeline, 104)).toBe('-0:08');
  expect(formatPosition({ start: 0, end: 60, live: false }, 5)).toBe('0:05');
});

test('the buffer ends at the next gap, and at the current position inside a gap', () => {
  const { seekable: buffered } = createMedia(60, [
    [0, 10],
    [20, 30],
  ]);
  expect([5, 15, 20].map((currentTime) => bufferedUntil({ buffered, currentTime }))).toEqual([10, 15, 30]);
});

test.each([
  ['the start of a session that is shorter than the window', [0, 40], 60, 0],
  ['12 s inside a window whose start moves in a few seconds', [0, 50], 60, 12],
  ['12 s inside a moving window', [30, 88], 60, 42],
  ['the middle of a window shorter than two margins', [100, 110], 10, 105],
] as const)('"From the start" plays from %s', (_, [start, end], dvrSeconds, position) => {
  expect(startOfWindow({ start, end }, dvrSeconds)).toBe(position);
});
