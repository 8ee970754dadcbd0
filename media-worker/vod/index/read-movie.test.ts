import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ascii, box, fullBox, u16, u32 } from '@/media-worker/media/cmaf/boxes';
import { MovieError } from './byte-source';
import { type Movie, readMovie } from './read-movie';
import { memorySource, movieFile } from './testing/movie-file';

const readTestMovie = (...args: Parameters<typeof movieFile>) => readMovie(memorySource(movieFile(...args)));
const listedSamples = ({ tracks: [track] }: Movie) => {
  const list = track?.samples;
  return Array.from({ length: list?.count ?? 0 }, (_, index) => [
    list?.offset[index],
    list?.size[index],
    list?.dts[index],
    list?.pts(index),
    list?.key[index],
  ]);
};

/** The frames of the movie of `movieFile`: position, size, decode time, presentation time, and whether they are keyframes. */
const movieSamples = [
  [24, 10, 0, 200, 1],
  [34, 11, 100, 300, 0],
  [45, 12, 200, 400, 0],
  [64, 13, 300, 500, 0],
  [77, 14, 400, 500, 1],
  [91, 15, 500, 600, 0],
  [106, 16, 600, 700, 0],
  [122, 17, 650, 750, 0],
];

describe('sample tables', () => {
  test('have the position and times of each frame', async () => {
    expect(listedSamples(await readTestMovie())).toEqual(movieSamples);
  });

  test('may have 64-bit positions', async () => {
    const co64 = fullBox('co64', 0, 0, u32(2, 0, 24, 0, 64));
    expect(listedSamples(await readTestMovie({ stco: co64 }))).toEqual(movieSamples);
  });

  test.each([
    [4, Buffer.from([0xab, 0xcd, 0xef, 0x12])],
    [8, Buffer.from([10, 11, 12, 13, 14, 15, 1, 2])],
    [16, u16(10, 11, 12, 13, 14, 15, 1, 2)],
  ])('may have sizes of %i bits', async (bits, sizes) => {
    const stz2 = fullBox('stz2', 0, 0, u32(bits, 8), sizes);
    const list = listedSamples(await readTestMovie({ stsz: stz2 }));
    expect(list.map(([, size]) => size)).toEqual([10, 11, 12, 13, 14, 15, 1, 2]);
  });

  test('of equal sizes need no size table', async () => {
    const list = listedSamples(await readTestMovie({ stsz: fullBox('stsz', 0, 0, u32(7, 8)) }));
    expect(list.map(([offset]) => offset)).toEqual([24, 31, 38, 64, 71, 78, 85, 92]);
  });

  test('without a sync sample table have only keyframes', async () => {
    const list = listedSamples(await readTestMovie({ stss: box('free') }));
    expect(list.every(([, , , , key]) => key === 1)).toBe(true);
  });
});

describe('frames without a duration', () => {
  const durations = (...runs: readonly number[]) => ({
    stts: fullBox('stts', 0, 0, u32(runs.length / 2, ...runs)),
  });
  const timesOf = async (boxes: Record<string, Buffer>) => {
    const samples = (await readTestMovie(boxes)).tracks[0]?.samples;
    return [[...(samples?.dts.subarray(0, 8) ?? [])], [...(samples?.duration.subarray(0, 8) ?? [])]];
  };

  test('share the duration of the track if no frame has one', async () => {
    const [dts, duration] = await timesOf(durations(8, 0));
    expect(dts).toEqual([0, 88, 175, 263, 350, 438, 525, 613]);
    expect(duration?.reduce((sum, ticks) => sum + ticks, 0)).toBe(700);
  });

  test('keep the times of the file if other frames have a duration', async () => {
    const [dts] = await timesOf(durations(4, 100, 2, 0, 2, 50));
    expect(dts).toEqual([0, 100, 200, 300, 400, 400, 400, 450]);
  });

  test('last as long as the previous frame if it is the last one of the track', async () => {
    const [, duration] = await timesOf(durations(7, 100, 1, 0));
    expect(duration?.at(-1)).toBe(100);
  });
});

test('data after the last box is ignored, even if it begins like a box of an impossible size', async () => {
  const data = Buffer.concat([u32(1, 0x65888040), Buffer.alloc(12, 0xff)]);
  const movie = await readMovie(memorySource(Buffer.concat([movieFile(), data])));
  expect(listedSamples(movie)).toEqual(movieSamples);
});

test.each([0, 1])('the duration in an mdhd box of version %i may be unknown', async (version) => {
  const unknown = version === 1 ? u32(0, 0, 0, 0, 1000, 0xffffffff, 0xffffffff) : u32(0, 0, 1000, 0xffffffff);
  const mdhd = fullBox('mdhd', version, 0, unknown, u16(0x55c4, 0));
  const stts = fullBox('stts', 0, 0, u32(1, 8, 0));
  const movie = await readMovie(memorySource(movieFile({ stts }, { mdhd })));
  expect(movie.tracks[0]?.samples.end).toBe(0);
});

describe('edit lists', () => {
  test('of box versions 0 and 1 are read', async () => {
    const short = fullBox('elst', 0, 0, u32(2, 500, 0xffffffff, 0x10000, 700, 200, 0x10000));
    const edits64 = fullBox('elst', 1, 0, u32(2, 0, 500, 0xffffffff, 0xffffffff, 0x10000, 0, 700, 0, 200, 0));
    expect((await readTestMovie({}, { edits: short })).tracks[0]?.edits).toEqual([
      { duration: 500, mediaTime: -1, rate: 1 },
      { duration: 700, mediaTime: 200, rate: 1 },
    ]);
    expect((await readTestMovie({}, { edits: edits64 })).tracks[0]?.edits).toEqual([
      { duration: 500, mediaTime: -1, rate: 1 },
      { duration: 700, mediaTime: 200, rate: 0 },
    ]);
  });

  test.each([
    [0, u32(0xffffffff, 200, 0x10000)],
    [1, u32(0xffffffff, 0xffffffff, 0, 200, 0x10000)],
  ])('of version %i may have an unknown duration', async (version, edit) => {
    const edits = fullBox('elst', version, 0, u32(1), edit);
    expect((await readTestMovie({}, { edits })).tracks[0]?.edits).toEqual([
      { duration: 0, mediaTime: 200, rate: 1 },
    ]);
  });
});

describe('samples without bytes', () => {
  test('are left out of a sample table, and the others keep their times', async () => {
    const stsz = fullBox('stsz', 0, 0, u32(0, 8, 10, 0, 12, 13, 14, 15, 16, 0));
    const movie = await readTestMovie({ stsz });
    expect(listedSamples(movie).map(([, size, dts, , key]) => [size, dts, key])).toEqual([
      [10, 0, 1],
      [12, 200, 0],
      [13, 300, 0],
      [14, 400, 1],
      [15, 500, 0],
      [16, 600, 0],
    ]);
    expect(movie.tracks[0]?.samples.end).toBe(700);
  });

  test('are left out of a fragment', async () => {
    const first = fragment(0x301, [4, 100, 90, 0, 90, 6, 110, 0, 100, 7]);
    const list = listedSamples(await readTestMovie({}, { fragments: [first] }));
    expect(list.slice(8).map(([, size, dts]) => [size, dts])).toEqual([
      [6, 790],
      [7, 990],
    ]);
  });
});

describe('tracks that are not played', () => {
  const trakOf = (file: Buffer) => {
    const at = file.indexOf('trak') - 4;
    return file.subarray(at, at + file.readUInt32BE(at));
  };
  const withTrack = (file: Buffer, trak: Buffer, first: boolean) => {
    const at = file.indexOf('trak') - 4;
    const moov = file.indexOf('moov') - 4;
    const place = first ? at : at + trakOf(file).length;
    const joined = Buffer.concat([file.subarray(0, place), trak, file.subarray(place)]);
    joined.writeUInt32BE(file.readUInt32BE(moov) + trak.length, moov);
    return memorySource(joined);
  };
  const timecode = (...children: Buffer[]) =>
    box('trak', box('mdia', fullBox('hdlr', 0, 0, u32(0), ascii('tmcd'), u32(0, 0, 0)), ...children));

  test.each([
    ['empty', box('trak')],
    ['without headers', timecode(box('minf', box('stbl')))],
    ['with a truncated header', timecode(box('mdhd'), box('minf', box('stbl', box('stsd'))))],
    ['with a truncated handler', box('trak', box('mdia', box('hdlr')))],
  ])('may be invalid: %s', async (_, trak) => {
    for (const first of [true, false])
      expect(listedSamples(await readMovie(withTrack(movieFile(), trak, first)))).toEqual(movieSamples);
  });

  test('may be video, after the one that is played', async () => {
    const invalid = trakOf(movieFile({ stsz: fullBox('stsz', 0, 0, u32(0, 268_435_456)) }));
    expect(listedSamples(await readMovie(withTrack(movieFile(), invalid, false)))).toEqual(movieSamples);
    await expect(readMovie(withTrack(movieFile(), invalid, true))).rejects.toThrow(/claims 268435456/);
  });
});

/**
 * A fragment whose frames are in its own `mdat`.
 * @param flags flags of its `trun`, which announce optional fields
 * @param runFields numbers of the `trun`: the number of frames, the data offset, and the announced fields of each frame
 * @param time the `tfdt` box
 */
function fragment(flags: number, runFields: readonly number[], time: readonly Buffer[] = []): Buffer {
  const traf = box(
    'traf',
    fullBox('tfhd', 0, 0x020000, u32(1)),
    ...time,
    fullBox('trun', 1, flags, u32(...runFields)),
  );
  const moof = box('moof', fullBox('mfhd', 0, 0, u32(1)), traf);
  return Buffer.concat([moof, box('mdat', Buffer.alloc(40))]);
}

describe('fragments', () => {
  test('follow the sample table and each other', async () => {
    const first = fragment(0x301, [2, 100, 90, 6, 110, 7]);
    const second = fragment(0x001, [3, 100], [fullBox('tfdt', 0, 0, u32(5000))]);
    const list = listedSamples(await readTestMovie({}, { fragments: [first, second] }));
    const firstAt = movieFile({}, { fragments: [first] }).length - first.length;
    const secondAt = firstAt + first.length;
    expect(list.slice(8)).toEqual([
      [firstAt + 100, 6, 700, 700, 1],
      [firstAt + 106, 7, 790, 790, 1],
      [secondAt + 100, 5, 5000, 5000, 1],
      [secondAt + 105, 5, 5100, 5100, 1],
      [secondAt + 110, 5, 5200, 5200, 1],
    ]);
  });

  test('of joined recordings, whose decode times start again, follow each other', async () => {
    const parts = [5000, 5300, 200].map((at) => fragment(0x001, [3, 100], [fullBox('tfdt', 0, 0, u32(at))]));
    const list = listedSamples(await readTestMovie({}, { fragments: parts }));
    const times = list.slice(8).map(([, , dts]) => dts);
    expect(times).toEqual([5000, 5100, 5200, 5300, 5400, 5500, 5600, 5700, 5800]);
  });

  describe('of a saved live stream', () => {
    const emptyTable = {
      stts: fullBox('stts', 0, 0, u32(0)),
      stsz: fullBox('stsz', 0, 0, u32(0, 0)),
      stsc: fullBox('stsc', 0, 0, u32(0)),
      stco: fullBox('stco', 0, 0, u32(0)),
    };
    const parts = [900_000, 900_300].map((at) => fragment(0x001, [2, 100], [fullBox('tfdt', 0, 0, u32(at))]));
    const timesOf = async (edits?: Buffer) => {
      const movie = await readTestMovie(emptyTable, { fragments: parts, ...(edits ? { edits } : {}) });
      return listedSamples(movie).map(([, , dts]) => dts);
    };

    test('start at 0', async () => {
      expect(await timesOf()).toEqual([0, 100, 300, 400]);
    });

    test('start at 0 if the recording was cut off in the header of a fragment', async () => {
      const complete = movieFile(emptyTable, { fragments: parts });
      const cutOff = complete.subarray(0, complete.length - (parts[1]?.length ?? 0) + 20);
      const movie = await readMovie(memorySource(cutOff));
      expect(listedSamples(movie).map(([, , dts]) => dts)).toEqual([0, 100]);
    });

    test('keep their times if an edit list refers to them', async () => {
      const edits = fullBox('elst', 0, 0, u32(1, 500, 900_000, 0x10000));
      expect(await timesOf(edits)).toEqual([900_000, 900_100, 900_300, 900_400]);
    });
  });

  test('may have the time of day as their time', async () => {
    const seconds = 1_700_000_000n;
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(seconds * 90_000n);
    const first = fragment(0x001, [3, 100], [fullBox('tfdt', 1, 0, time)]);
    const list = listedSamples(await readTestMovie({}, { fragments: [first] }));
    expect(list[8]?.[2]).toBe(Number(seconds) * 90_000);
  });

  test.each([
    ['the frame before', [2, 100, 90, 6, 0, 7], 90],
    ['the time since the frame before', [1, 100, 0, 6], 40],
  ])('end with a frame that lasts as long as %s, if it has no duration', async (_, run, ticks) => {
    const earlier = fragment(0x301, [1, 100, 0, 6], [fullBox('tfdt', 0, 0, u32(4_960))]);
    const last = fragment(0x301, run, [fullBox('tfdt', 0, 0, u32(5_000))]);
    const { samples } = (await readTestMovie({}, { fragments: [earlier, last] })).tracks[0] ?? {};
    expect(samples?.duration[samples.count - 1]).toBe(ticks);
  });

  test('end with the last complete frame if the file is cut off', async () => {
    const [first, second] = [fragment(0x001, [3, 100]), fragment(0x001, [3, 100])];
    const complete = movieFile({}, { fragments: [first, second] });
    // The runs start at byte 100 of a fragment, and each frame has five bytes.
    const cutOff = complete.subarray(0, complete.length - second.length + 112);
    const [wholeList, list] = [
      await readMovie(memorySource(complete)),
      await readMovie(memorySource(cutOff)),
    ];
    expect(listedSamples(list)).toEqual(listedSamples(wholeList).slice(0, -1));
    const inside = complete.subarray(0, complete.length - second.length - first.length + 112);
    expect(listedSamples(await readMovie(memorySource(inside)))).toEqual(
      listedSamples(wholeList).slice(0, 10),
    );
  });
});

describe('invalid tables', () => {
  test.each<[string, Record<string, Buffer>, RegExp]>([
    ['missing sizes', { stsz: fullBox('stsz', 0, 0, u32(0, 268_435_456)) }, /claims 268435456 entries/],
    ['frames of one byte', { stsz: fullBox('stsz', 0, 0, u32(1, 268_435_456)) }, /larger than the file/],
    ['missing runs', { stts: fullBox('stts', 0, 0, u32(0x1fffffff, 1, 1)) }, /claims 536870911 entries/],
    [
      'offsets after the end of the file',
      { stco: fullBox('stco', 0, 0, u32(2, 24, 1_000_000)) },
      /outside of the file/,
    ],
    ['no sample entries', { stsd: Buffer.alloc(0) }, /stsd is missing/],
  ])('are rejected: %s', async (_, boxes, message) => {
    await expect(readTestMovie(boxes)).rejects.toThrow(message);
    await expect(readTestMovie(boxes)).rejects.toThrow(MovieError);
  });

  test('are rejected in a fragment that claims more frames than a file can have', async () => {
    const endless = fragment(0x001, [0xffffffff, 100]);
    await expect(readTestMovie({}, { fragments: [endless] })).rejects.toThrow(/larger than the file/);
    const traf = box('traf', fullBox('tfhd', 0, 0x020010, u32(1, 0)), fullBox('trun', 0, 0, u32(0xffffffff)));
    await expect(readTestMovie({}, { fragments: [box('moof', traf)] })).rejects.toThrow(/without a size/);
  });

  test('any change to a file causes an error or frames inside the file', async () => {
    const wholeMovie = movieFile(
      {},
      {
        edits: fullBox('elst', 0, 0, u32(1, 700, 200, 0x10000)),
        fragments: [fragment(0xf05, [2, 120, 0, 90, 6, 0, 1, 110, 7, 0x10000, 0])],
      },
    );
    const change = fc.tuple(
      fc.nat(wholeMovie.length - 5),
      fc.oneof(fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff), fc.nat(300), fc.nat(0xffffffff)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.nat(wholeMovie.length),
        async (changes, length) => {
          const file = Buffer.from(length % 5 === 0 ? wholeMovie.subarray(0, length) : wholeMovie);
          for (const [at, value] of changes) if (at + 4 <= file.length) file.writeUInt32BE(value, at);
          const source = memorySource(file);
          const movie = await readMovie(source).catch((error: unknown) => {
            expect(error).toBeInstanceOf(MovieError);
            return null;
          });
          expect(source.reads.bytes).toBeLessThan(10 * wholeMovie.length);
          for (const { samples } of movie?.tracks ?? []) {
            expect(samples.size.length).toBeLessThanOrEqual(2 * wholeMovie.length);
            for (let index = 0; index < samples.count; index++)
              expect((samples.offset[index] ?? -1) + (samples.size[index] ?? 0)).toBeLessThanOrEqual(
                file.length,
              );
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
