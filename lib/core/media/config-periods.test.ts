import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfiguredTrack, configPeriods } from './config-periods';

/** The media from one second to another, presented from a third second on. */
const createRange = (fromSeconds: number, toSeconds: number, startSeconds: number, timescale: number) => ({
  fromTicks: fromSeconds * timescale,
  toTicks: toSeconds * timescale,
  startSeconds,
  durationSeconds: toSeconds - fromSeconds,
});
/** A track of this many seconds whose configuration changes at some of them. */
function createTrack(seconds: number, changes: readonly number[], timescale = 1_000): ConfiguredTrack {
  const edges = [0, ...changes, seconds];
  const spans = edges
    .slice(1)
    .map((end, index) => ({ fromTicks: (edges[index] ?? 0) * timescale, toTicks: end * timescale }));
  return { ranges: [createRange(0, seconds, 0, timescale)], spans, timescale };
}
/** Start and end of the presentation in seconds. */
const bounds = { from: 0, to: 20 };
/** Finds the time of the first keyframe at or after a time in a video with a keyframe every `interval` seconds. */
const keyframeEvery = (interval: number) => (seconds: number) => Math.ceil(seconds / interval) * interval;
/** [start in seconds, end in seconds, index of the video configuration, index of the audio configuration] of each period. */
const summarize = (periods: ReturnType<typeof configPeriods>) =>
  periods.map(({ startSeconds, endSeconds, video, audio }) => [
    startSeconds,
    endSeconds,
    video?.spanIndex,
    audio?.spanIndex,
  ]);

describe('configPeriods', () => {
  it('returns one period if no configuration changes', () => {
    const [video, audio] = [createTrack(20, []), createTrack(20, [], 48_000)];
    const periods = configPeriods({ video, audio }, bounds, keyframeEvery(2));
    expect(periods).toEqual([
      {
        startSeconds: 0,
        endSeconds: 20,
        video: { spanIndex: 0, ranges: [{ ...video.ranges[0], spanIndex: 0 }] },
        audio: { spanIndex: 0, ranges: [{ ...audio.ranges[0], spanIndex: 0 }] },
      },
    ]);
  });

  it('starts a period where the video configuration changes, and one period where both configurations change', () => {
    const periods = configPeriods(
      { video: createTrack(20, [6, 12]), audio: createTrack(20, [12.02], 48_000) },
      bounds,
      keyframeEvery(2),
    );
    expect(summarize(periods)).toEqual([
      [0, 6, 0, 0],
      [6, 12, 1, 0],
      [12, 20, 2, 1],
    ]);
    expect(periods[1]?.audio?.ranges).toEqual([
      { fromTicks: 288_000, toTicks: 576_000, startSeconds: 6, durationSeconds: 6, spanIndex: 0 },
    ]);
  });

  it('starts a period at the next keyframe, if there is one, when only the audio configuration changes', () => {
    const tracks = { video: createTrack(20, []), audio: createTrack(20, [7.1]) };
    const periods = configPeriods(tracks, bounds, keyframeEvery(2));
    expect(summarize(periods)).toEqual([
      [0, 8, 0, 0],
      [8, 20, 0, 1],
    ]);
    expect(periods[0]?.audio?.ranges.at(-1)?.durationSeconds).toBeCloseTo(7.1);
    // The second audio configuration plays longer: from 7.1 s to 20 s.
    expect(summarize(configPeriods(tracks, bounds, () => undefined))).toEqual([[0, 20, 0, 1]]);
  });

  it('follows edits that present configurations out of order', () => {
    const media = createTrack(20, [10]);
    const ranges = [
      createRange(12, 15, 0, 1_000),
      createRange(2, 4, 3, 1_000),
      createRange(11, 12, 5, 1_000),
    ];
    const periods = configPeriods(
      { video: { ...media, ranges }, audio: undefined },
      { from: 0, to: 6 },
      keyframeEvery(2),
    );
    expect(summarize(periods)).toEqual([
      [0, 3, 1, undefined],
      [3, 5, 0, undefined],
      [5, 6, 1, undefined],
    ]);
  });

  it('returns periods that cover the presentation without overlaps, each with video of one configuration', () => {
    const changes = fc.uniqueArray(fc.integer({ min: 1, max: 19 }), { maxLength: 6 });
    fc.assert(
      fc.property(changes, changes, (videoChanges, audioChanges) => {
        const ascending = (list: readonly number[]) => list.toSorted((a, b) => a - b);
        const tracks = {
          video: createTrack(20, ascending(videoChanges)),
          audio: createTrack(20, ascending(audioChanges), 44_100),
        };
        const periods = configPeriods(tracks, bounds, keyframeEvery(2));
        expect(periods[0]?.startSeconds).toBe(0);
        expect(periods.at(-1)?.endSeconds).toBe(20);
        for (const [index, period] of periods.entries()) {
          expect(period.endSeconds).toBeGreaterThan(period.startSeconds);
          if (index > 0) expect(period.startSeconds).toBe(periods[index - 1]?.endSeconds);
          const { video } = period;
          const span = tracks.video.spans[video?.spanIndex ?? -1];
          for (const playedRange of video?.ranges ?? []) {
            expect(playedRange.fromTicks).toBeGreaterThanOrEqual((span?.fromTicks ?? 0) - 1);
            expect(playedRange.toTicks).toBeLessThanOrEqual((span?.toTicks ?? 0) + 1);
            expect(playedRange.startSeconds).toBeGreaterThanOrEqual(period.startSeconds - 0.01);
            expect(playedRange.startSeconds + playedRange.durationSeconds).toBeLessThanOrEqual(
              period.endSeconds + 0.01,
            );
          }
        }
      }),
    );
  });
});
