import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import { rangeSpans } from './range-spans';
import { SampleList, maxSamples } from './sample-list';

const frameTicks = VIDEO_TIMESCALE / 25;
const audioTicks = 1_024;
const audioRate = 48_000;
/** AAC-LC, 48 kHz, mono. */
const record = Buffer.from([0x11, 0x88]);
const video = { coding: 'avc', record, pixelAspect: { num: 1, den: 1 }, matrix: [] } as const;
const period = { video, audio: { record } };

function list(
  count: number,
  sample: (at: number) => { dts: number; shift: number; key: boolean },
): SampleList {
  const samples = new SampleList({ samples: maxSamples, fileSize: Infinity });
  samples.reserve(count);
  for (let at = 0; at < count; at++)
    samples.push({ offset: at * 10, size: 10, duration: 1, entry: 0, ...sample(at) });
  return samples;
}

/** Segments with a number of GOPs each; of three frames, one is shown after the two that follow it. */
function film(gops: readonly number[], gopFrames: number) {
  let [frame, audio] = [0, 0];
  return gops.map((count) => {
    const [first, frames] = [frame, count * gopFrames];
    frame += frames;
    const video = list(frames, (at) => {
      const place = at % gopFrames;
      const reordered = place === 0 || place + 2 >= gopFrames ? 0 : ([2, -1, -1][(place - 1) % 3] ?? 0);
      const isWhole = gopFrames - 1 - (place - ((place - 1) % 3)) >= 3;
      return {
        dts: (first + at) * frameTicks,
        shift: (2 + (isWhole ? reordered : 0)) * frameTicks,
        key: place === 0,
      };
    });
    const end = ((frame + 2) * frameTicks * audioRate) / VIDEO_TIMESCALE;
    const audioFirst = audio;
    while (audio * audioTicks < end) audio += 1;
    const audioTimes = list(audio - audioFirst, (at) => ({
      dts: (audioFirst + at) * audioTicks,
      shift: 0,
      key: true,
    }));
    return { video, audio: audioTimes };
  });
}

const filmOf = fc
  .record({
    gops: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
    gopFrames: fc.integer({ min: 2, max: 40 }),
  })
  .map(({ gops, gopFrames }) => film(gops, gopFrames));

test('every frame of the range is written, from one keyframe before it', () => {
  fc.assert(
    fc.property(
      filmOf,
      fc.double({ min: 0.08, max: 20, noNaN: true }),
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      (segments, from, seconds) => {
        const to = from + seconds;
        const cut = rangeSpans(segments, period, { from, to }) ?? expect.unreachable();
        const written = segments.flatMap(({ video: samples }, segment) => {
          const { first, end } = cut.spans[segment]?.video ?? expect.unreachable();
          return Array.from({ length: end - first }, (_, at) => ({
            at: samples.pts(first + at) / VIDEO_TIMESCALE,
            key: samples.key[first + at] === 1,
          }));
        });
        expect(written[0]?.key).toBe(true);
        expect(written[0]?.at).toBeLessThanOrEqual(from);
        expect(written.filter(({ key, at }) => key && at <= from)).toHaveLength(1);
        const inRange = segments.flatMap(({ video: samples }) =>
          Array.from({ length: samples.count }, (_, at) => samples.pts(at) / VIDEO_TIMESCALE).filter(
            (at) => at >= from && at < to,
          ),
        );
        expect(written.map(({ at }) => at).filter((at) => at >= from && at < to)).toEqual(inRange);
        const audioTimes = segments.flatMap(({ audio }, segment) => {
          const { first, end } = cut.spans[segment]?.audio ?? expect.unreachable();
          return [...audio.dts.subarray(first, end)].map((dts) => dts / audioRate);
        });
        const keyAt = written[0]?.at ?? NaN;
        const wanted = segments
          .flatMap(({ audio }) => [...audio.dts.subarray(0, audio.count)].map((dts) => dts / audioRate))
          .filter((at) => at > keyAt - audioTicks / audioRate && at < to);
        expect(audioTimes).toEqual(expect.arrayContaining(wanted));
        expect(cut.start).toBe(Math.min(keyAt, audioTimes[0] ?? Infinity));
      },
    ),
  );
});

test('a range in front of the first keyframe, or in a held frame, has no samples', () => {
  const segments = film([2], 10);
  expect(rangeSpans(segments, period, { from: 0.01, to: 1 })).toBeNull();
  const [segment] = segments;
  if (!segment) expect.unreachable();
  segment.video.offset[1] = segment.video.offset[0] ?? NaN;
  expect(rangeSpans(segments, period, { from: 0.1, to: 1 })).toBeNull();
  expect(rangeSpans(segments, period, { from: 0.6, to: 1 })).not.toBeNull();
});
