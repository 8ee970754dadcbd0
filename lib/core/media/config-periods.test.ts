import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfiguredTrack, configPeriods } from './config-periods';

const range = (from: number, to: number, at: number, timescale: number) => ({
  from: from * timescale,
  to: to * timescale,
  at,
  length: to - from,
});
/** A track of this many seconds whose configuration changes at some of them. */
function track(seconds: number, changes: readonly number[], timescale = 1_000): ConfiguredTrack {
  const edges = [0, ...changes, seconds];
  const runs = edges
    .slice(1)
    .map((to, index) => ({ from: (edges[index] ?? 0) * timescale, to: to * timescale }));
  return { ranges: [range(0, seconds, 0, timescale)], spans: runs, timescale };
}
const bounds = { from: 0, to: 20 };
/** Returns the first keyframe at or after a time in a video with a keyframe every `seconds`. */
const keyEvery = (seconds: number) => (at: number) => Math.ceil(at / seconds) * seconds;
const summarize = (periods: ReturnType<typeof configPeriods>) =>
  periods.map(({ from, to, video, audio }) => [from, to, video?.spanIndex, audio?.spanIndex]);

describe('configPeriods', () => {
  it('returns one period if no configuration changes', () => {
    const [video, audio] = [track(20, []), track(20, [], 48_000)];
    const periods = configPeriods({ video, audio }, bounds, keyEvery(2));
    expect(periods).toEqual([
      {
        ...bounds,
        video: { spanIndex: 0, ranges: [{ ...video.ranges[0], spanIndex: 0 }] },
        audio: { spanIndex: 0, ranges: [{ ...audio.ranges[0], spanIndex: 0 }] },
      },
    ]);
  });

  it('starts a period where the video configuration changes, and one period where both configurations change', () => {
    const periods = configPeriods(
      { video: track(20, [6, 12]), audio: track(20, [12.02], 48_000) },
      bounds,
      keyEvery(2),
    );
    expect(summarize(periods)).toEqual([
      [0, 6, 0, 0],
      [6, 12, 1, 0],
      [12, 20, 2, 1],
    ]);
    expect(periods[1]?.audio?.ranges).toEqual([
      { from: 288_000, to: 576_000, at: 6, length: 6, spanIndex: 0 },
    ]);
  });

  it('starts a period at the next keyframe if only the audio configuration changes', () => {
    const tracks = { video: track(20, []), audio: track(20, [7.1]) };
    const periods = configPeriods(tracks, bounds, keyEvery(2));
    expect(summarize(periods)).toEqual([
      [0, 8, 0, 0],
      [8, 20, 0, 1],
    ]);
    expect(periods[0]?.audio?.ranges.at(-1)?.length).toBeCloseTo(7.1);
    expect(summarize(configPeriods(tracks, bounds, () => undefined))).toEqual([[0, 20, 0, 1]]);
  });

  it('follows edits that present configurations out of order', () => {
    const media = track(20, [10]);
    const ranges = [range(12, 15, 0, 1_000), range(2, 4, 3, 1_000), range(11, 12, 5, 1_000)];
    const periods = configPeriods(
      { video: { ...media, ranges }, audio: undefined },
      { from: 0, to: 6 },
      keyEvery(2),
    );
    expect(summarize(periods)).toEqual([
      [0, 3, 1, undefined],
      [3, 5, 0, undefined],
      [5, 6, 1, undefined],
    ]);
  });

  it('returns periods that cover the presentation without overlaps, each with media of one configuration per track', () => {
    const changes = fc.uniqueArray(fc.integer({ min: 1, max: 19 }), { maxLength: 6 });
    fc.assert(
      fc.property(changes, changes, (videoChanges, audioChanges) => {
        const ascending = (list: readonly number[]) => list.toSorted((a, b) => a - b);
        const tracks = {
          video: track(20, ascending(videoChanges)),
          audio: track(20, ascending(audioChanges), 44_100),
        };
        const periods = configPeriods(tracks, bounds, keyEvery(2));
        expect(periods[0]?.from).toBe(0);
        expect(periods.at(-1)?.to).toBe(20);
        for (const [index, period] of periods.entries()) {
          expect(period.to).toBeGreaterThan(period.from);
          if (index > 0) expect(period.from).toBe(periods[index - 1]?.to);
          const { video } = period;
          const run = tracks.video.spans[video?.spanIndex ?? -1];
          for (const playedRange of video?.ranges ?? []) {
            expect(playedRange.from).toBeGreaterThanOrEqual((run?.from ?? 0) - 1);
            expect(playedRange.to).toBeLessThanOrEqual((run?.to ?? 0) + 1);
            expect(playedRange.at).toBeGreaterThanOrEqual(period.from - 0.01);
            expect(playedRange.at + playedRange.length).toBeLessThanOrEqual(period.to + 0.01);
          }
        }
      }),
    );
  });
});
