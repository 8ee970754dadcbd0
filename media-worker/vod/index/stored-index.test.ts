import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import type { MovieIndex } from './make-index';
import { serializeIndex, readIndexHead } from './stored-index';
import { IndexError, readLines } from './stored-lines';
import { SampleList } from './sample-list';
import { memorySource } from './testing/movie-file';

type Line = readonly [
  size: number,
  duration: number,
  shift: number,
  jump: number,
  key: boolean,
  entry: number,
];

const anyLine: fc.Arbitrary<Line> = fc.tuple(
  fc.nat(5_000_000),
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.integer({ min: -100_000, max: 100_000 }),
  fc.oneof(fc.constant(0), fc.nat(2 ** 40)),
  fc.boolean(),
  fc.nat(1),
);

function listOf(lines: readonly Line[]): SampleList {
  const list = new SampleList({ samples: 1_000, fileSize: Infinity });
  list.reserve(lines.length);
  let [dts, offset] = [7, 0];
  for (const [size, duration, shift, jump, key, entry] of lines) {
    offset += jump;
    list.push({ offset, size, dts, duration, shift, key, entry });
    offset += size;
    dts += duration;
  }
  return list;
}

function createIndex(
  video: SampleList,
  audio: SampleList,
  firstSegmentEnd: number,
  coding: 'avc' | 'hevc' | 'av1' = 'avc',
): MovieIndex {
  const segment = (first: number, end: number, audioFirst: number, audioEnd: number) => ({
    video: { first, end },
    audio: { first: audioFirst, end: audioEnd },
    startSeconds: 0,
    seconds: 6.006,
    independent: first === 0,
    bytes: 1_234,
  });
  const middle = Math.min(firstSegmentEnd, video.count, audio.count);
  const period = {
    video: {
      coding,
      record: CONFIG_RECORDS.high320,
      pixelAspect: { num: 4, den: 3 },
      samples: video,
      matrix: [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000],
    },
    audio: { record: CONFIG_RECORDS.aacStereo48, samples: audio },
    segments: [segment(0, middle, 0, middle), segment(middle, video.count, middle, audio.count)],
  };
  return { periods: [period], encodedFrames: [Buffer.from('encoded')] };
}

const sourceOf = (contentHash: string) => ({
  contentHash,
  file: 'source.mp4',
  bytes: 2 ** 40,
  frameRate: 29.97,
});

const rowsOf = (list: SampleList, first = 0, end = list.count) =>
  Array.from({ length: end - first }, (_, index) => {
    const sample = first + index;
    return [
      list.offset[sample],
      list.size[sample],
      list.dts[sample],
      list.duration[sample],
      list.shift[sample],
      list.key[sample],
      list.entry[sample],
    ];
  });

test('a stored index is read back, one segment at a time', async () => {
  const lists = fc.array(anyLine, { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      lists,
      lists,
      fc.nat(40),
      fc.constantFrom('avc', 'hevc', 'av1'),
      async (video, audio, firstSegmentEnd, coding) => {
        const [videoSamples, audioSamples] = [listOf(video), listOf(audio)];
        const firstIndex = createIndex(videoSamples, audioSamples, firstSegmentEnd, coding);
        const otherPeriods = createIndex(audioSamples, videoSamples, firstSegmentEnd).periods.map(
          (period) => ({
            ...period,
            audio: undefined,
          }),
        );
        for (const periods of [
          firstIndex.periods,
          [...firstIndex.periods, ...otherPeriods, ...firstIndex.periods],
        ]) {
          const index = { ...firstIndex, periods };
          const source = memorySource(Buffer.concat(serializeIndex(index, sourceOf('ab'.repeat(32)))));
          const head = await readIndexHead(source);
          expect(head.source).toEqual(sourceOf('ab'.repeat(32)));
          expect(head.periods).toEqual(
            periods.map(({ video, audio }) => {
              const { samples: _, ...facts } = video ?? expect.unreachable();
              return { video: facts, audio: audio && { record: audio.record } };
            }),
          );
          expect((await source.read(head.encodedAt, 7)).toString()).toBe('encoded');
          const spans = periods.flatMap((period, place) =>
            period.segments.map((span) => ({ ...period, place, span })),
          );
          expect(head.segments.map(({ period }) => period)).toEqual(spans.map(({ place }) => place));
          for (const [number, segment] of head.segments.entries()) {
            const { span, ...tracks } = spans[number] ?? expect.unreachable();
            const lines = await readLines(source, segment);
            const expectedSamples = (
              list: SampleList | undefined,
              { first, end }: { first: number; end: number },
            ) => (list ? rowsOf(list, first, end) : []);
            expect(rowsOf(lines.video)).toEqual(expectedSamples(tracks.video?.samples, span.video));
            expect(rowsOf(lines.audio)).toEqual(expectedSamples(tracks.audio?.samples, span.audio));
          }
        }
      },
    ),
  );
});

test('a track with frames of equal size and duration takes less than four bytes per frame', () => {
  const steady = listOf(Array.from({ length: 300 }, () => [20_000, 3_600, 0, 0, false, 0] as const));
  const bytes = serializeIndex(createIndex(steady, listOf([]), 0), sourceOf('')).reduce(
    (sum, { length }) => sum + length,
    0,
  );
  expect(bytes / 300).toBeLessThan(4);
});

test('the tag of an index, which is in the names of segments, changes with the hash of the file', async () => {
  const list = listOf([[10, 1, 0, 0, true, 0]]);
  const etagOf = async (hash: string) =>
    (
      await readIndexHead(
        memorySource(Buffer.concat(serializeIndex(createIndex(list, list, 1), sourceOf(hash)))),
      )
    ).etag;
  expect(await etagOf('aa')).not.toBe(await etagOf('ab'));
});

test('an index with any changed byte before its encoded frames, or that is truncated, is rejected', async () => {
  const list = listOf(Array.from({ length: 20 }, () => [500, 3_600, 0, 0, true, 0] as const));
  const indexFile = Buffer.concat(serializeIndex(createIndex(list, list, 10), sourceOf('ab')));
  const encodedBytes = 'encoded'.length;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(indexFile.length - encodedBytes - 1),
      fc.integer({ min: 1, max: 255 }),
      async (offset, change) => {
        const file = Buffer.from(indexFile);
        file.writeUInt8(file.readUInt8(offset) ^ change, offset);
        const source = memorySource(file);
        const readAll = async () => {
          const head = await readIndexHead(source);
          for (const segment of head.segments) await readLines(source, segment);
        };
        await expect(readAll()).rejects.toThrow(IndexError);
      },
    ),
    { numRuns: 500 },
  );
  await expect(readIndexHead(memorySource(indexFile.subarray(0, 40)))).rejects.toThrow(IndexError);
});
