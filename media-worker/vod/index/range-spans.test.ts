import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import { findRangeSpans } from './range-spans';
import { SampleList, MAX_SAMPLES } from './sample-list';

const FRAME_TICKS = VIDEO_TIMESCALE / 25;
const AUDIO_TICKS = 1_024;
const AUDIO_RATE = 48_000;
/** AAC-LC, 48 kHz, mono. */
const record = Buffer.from([0x11, 0x88]);
const video = { coding: 'avc', record, pixelAspect: { num: 1, den: 1 }, matrix: [] } as const;
const period = { video, audio: { record } };

function createSampleList(
  count: number,
  sample: (index: number) => { dts: number; shift: number; key: boolean },
): SampleList {
  const samples = new SampleList({ samples: MAX_SAMPLES, fileSize: Infinity });
  samples.reserve(count);
  for (let index = 0; index < count; index++)
    samples.push({ offset: index * 10, size: 10, duration: 1, entry: 0, ...sample(index) });
  return samples;
}

/**
 * Creates segments with these numbers of GOPs. After each keyframe, the first of every three frames is shown after
 * the other two.
 */
function createSegments(gops: readonly number[], gopFrames: number) {
  let [frameCount, audioCount] = [0, 0];
  return gops.map((count) => {
    const [first, frames] = [frameCount, count * gopFrames];
    frameCount += frames;
    const video = createSampleList(frames, (index) => {
      const frameInGop = index % gopFrames;
      const shiftFrames =
        frameInGop === 0 || frameInGop + 2 >= gopFrames ? 0 : ([2, -1, -1][(frameInGop - 1) % 3] ?? 0);
      // Whether the group of three frames ends before the GOP does.
      const isWhole = gopFrames - 1 - (frameInGop - ((frameInGop - 1) % 3)) >= 3;
      return {
        dts: (first + index) * FRAME_TICKS,
        shift: (2 + (isWhole ? shiftFrames : 0)) * FRAME_TICKS,
        key: frameInGop === 0,
      };
    });
    const end = ((frameCount + 2) * FRAME_TICKS * AUDIO_RATE) / VIDEO_TIMESCALE;
    const audioFirst = audioCount;
    while (audioCount * AUDIO_TICKS < end) audioCount += 1;
    const audioTimes = createSampleList(audioCount - audioFirst, (index) => ({
      dts: (audioFirst + index) * AUDIO_TICKS,
      shift: 0,
      key: true,
    }));
    return { video, audio: audioTimes };
  });
}

const segmentLists = fc
  .record({
    gops: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
    gopFrames: fc.integer({ min: 2, max: 40 }),
  })
  .map(({ gops, gopFrames }) => createSegments(gops, gopFrames));

test('the spans contain every frame of the range, from the last keyframe before it', () => {
  fc.assert(
    fc.property(
      segmentLists,
      fc.double({ min: 0.08, max: 20, noNaN: true }),
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      (segments, startSeconds, durationSeconds) => {
        const endSeconds = startSeconds + durationSeconds;
        const cut = findRangeSpans(segments, period, { startSeconds, endSeconds }) ?? expect.unreachable();
        const written = segments.flatMap(({ video: samples }, segment) => {
          const { first, end } = cut.spans[segment]?.video ?? expect.unreachable();
          return Array.from({ length: end - first }, (_, index) => ({
            seconds: samples.pts(first + index) / VIDEO_TIMESCALE,
            key: samples.key[first + index] === 1,
          }));
        });
        expect(written[0]?.key).toBe(true);
        expect(written[0]?.seconds).toBeLessThanOrEqual(startSeconds);
        expect(written.filter(({ key, seconds }) => key && seconds <= startSeconds)).toHaveLength(1);
        const isInRange = (seconds: number) => seconds >= startSeconds && seconds < endSeconds;
        const inRange = segments.flatMap(({ video: samples }) =>
          Array.from({ length: samples.count }, (_, sample) => samples.pts(sample) / VIDEO_TIMESCALE).filter(
            isInRange,
          ),
        );
        expect(written.map(({ seconds }) => seconds).filter(isInRange)).toEqual(inRange);
        const audioTimes = segments.flatMap(({ audio }, segment) => {
          const { first, end } = cut.spans[segment]?.audio ?? expect.unreachable();
          return [...audio.dts.subarray(first, end)].map((dts) => dts / AUDIO_RATE);
        });
        const keyframeSeconds = written[0]?.seconds ?? NaN;
        const expectedAudioTimes = segments
          .flatMap(({ audio }) => [...audio.dts.subarray(0, audio.count)].map((dts) => dts / AUDIO_RATE))
          .filter((seconds) => seconds > keyframeSeconds - AUDIO_TICKS / AUDIO_RATE && seconds < endSeconds);
        expect(audioTimes).toEqual(expect.arrayContaining(expectedAudioTimes));
        expect(cut.startSeconds).toBe(Math.min(keyframeSeconds, audioTimes[0] ?? Infinity));
      },
    ),
  );
});

test('a range before the first keyframe, or in a held frame, has no samples', () => {
  const segments = createSegments([2], 10);
  expect(findRangeSpans(segments, period, { startSeconds: 0.01, endSeconds: 1 })).toBeNull();
  const [segment] = segments;
  if (!segment) expect.unreachable();
  segment.video.offset[1] = segment.video.offset[0] ?? NaN;
  expect(findRangeSpans(segments, period, { startSeconds: 0.1, endSeconds: 1 })).toBeNull();
  expect(findRangeSpans(segments, period, { startSeconds: 0.6, endSeconds: 1 })).not.toBeNull();
});
