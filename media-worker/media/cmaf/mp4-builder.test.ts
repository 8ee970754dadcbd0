import { describe, expect, test } from 'vitest';
import { parseAacConfig, parseAvcConfig } from './codec-config';
import { buildInitSegment } from './init-segment';
import { buildMediaPart } from './media-part';
import { Mp4Builder } from './mp4-builder';
import { findBox } from './read-boxes';
import { readParameterSets, readInit } from './read-init';
import { readMoof } from './read-part';
import { CONFIG_RECORDS } from './testing/codec-records';

const tracks = {
  video: parseAvcConfig(CONFIG_RECORDS.high320),
  audio: parseAacConfig(CONFIG_RECORDS.aacStereo48),
};
const init = readInit(buildInitSegment(tracks));
/** Duration of a frame. */
const VIDEO_TICKS = 3_000;
/** Media bytes of `partAt`. */
const VIDEO_BYTES = 15 * 5;
const PART_BYTES = VIDEO_BYTES + 24 * 3;

/**
 * Half a second of media from `start` seconds: 15 frames of 5 bytes, and 24 audio samples of 3 bytes, `audioDelay` seconds
 * later.
 * @param reorderDelays frame durations from decoding to presentation, of each frame
 */
function partAt(start: number, audioDelay = 0, reorderDelays: readonly number[] = []) {
  const part = Buffer.concat(
    buildMediaPart({
      sequence: 1,
      video: {
        start: start * 90_000,
        samples: Array.from({ length: 15 }, (_, index) => ({
          data: Buffer.from('video'),
          duration: VIDEO_TICKS,
          compositionOffset: (reorderDelays[index] ?? 0) * VIDEO_TICKS,
          key: index === 0,
        })),
      },
      audio: {
        start: (start + audioDelay) * 48_000,
        samples: Array.from({ length: 24 }, () => ({ data: Buffer.from('snd'), duration: 1_000 })),
      },
    }),
  );
  return readMoof(part.subarray(0, part.readUInt32BE(0)));
}

/** The 32-bit numbers of a table of the track with this index, after version and flags. */
const readTable = (header: Buffer, trackIndex: number, name: string): number[] => {
  const moov = findBox(header, ['moov']);
  const traks: number[] = [];
  for (let offset = moov.start; offset < moov.end; offset += header.readUInt32BE(offset)) {
    if (header.toString('latin1', offset + 4, offset + 8) === 'trak') traks.push(offset);
  }
  const offset = traks[trackIndex] ?? 0;
  const within = { type: 'trak', start: offset + 8, end: offset + header.readUInt32BE(offset) };
  const path = name === 'elst' ? ['edts', 'elst'] : ['mdia', 'minf', 'stbl', name];
  const box = findBox(header, path, within);
  const values: number[] = [];
  for (let position = box.start + 4; position + 4 <= box.end; position += 4)
    values.push(header.readUInt32BE(position));
  return values;
};

describe('Mp4Builder', () => {
  test('a period starts after the last displayed frame of the previous one, even if that frame is not decoded last', () => {
    const builder = new Mp4Builder();
    builder.startPeriod(init);
    builder.addPart(
      partAt(
        0,
        0,
        Array.from({ length: 15 }, (_, index) => (index === 14 ? 5 : 2)),
      ),
    );
    builder.startPeriod(init);
    builder.addPart(partAt(70, 0, Array<number>(15).fill(2)));
    const [, ...durations] = readTable(builder.header(), 0, 'stts');
    // In frame durations: the first period is displayed until 14 + 5 + 1 = 20, so the first frame of the next period, which is
    // displayed 2 after its decode time, is decoded at 18, 4 after the last frame of the first period.
    expect(durations).toEqual([14, VIDEO_TICKS, 1, 4 * VIDEO_TICKS, 15, VIDEO_TICKS]);
  });

  test('a wrong composition offset delays the next period by half a second at most', () => {
    const builder = new Mp4Builder();
    builder.startPeriod(init);
    builder.addPart(
      partAt(
        0,
        0,
        Array.from({ length: 15 }, (_, index) => (index === 14 ? 200_000 : 0)),
      ),
    );
    builder.startPeriod(init);
    builder.addPart(partAt(70));
    const [, ...durations] = readTable(builder.header(), 0, 'stts');
    expect(durations).toEqual([14, VIDEO_TICKS, 1, VIDEO_TICKS + 45_000, 15, VIDEO_TICKS]);
  });

  test('copies all samples of a part in order, one chunk per track', () => {
    const builder = new Mp4Builder();
    builder.startPeriod(init);
    const [first] = builder.addPart(partAt(0));
    expect(first).toMatchObject({ length: PART_BYTES });
    const header = builder.header();
    expect(builder.mediaBytes).toBe(PART_BYTES);
    expect(readTable(header, 0, 'stco')).toEqual([1, header.length]);
    expect(readTable(header, 1, 'stco')).toEqual([1, header.length + VIDEO_BYTES]);
    expect(readTable(header, 0, 'stsc')).toEqual([1, 1, 15, 1]);
    expect(readTable(header, 0, 'stss')).toEqual([1, 1]);
    expect(readTable(header, 0, 'stts')).toEqual([1, 15, VIDEO_TICKS]);
    expect(header.readUInt32BE(header.length - 8)).toBe(8 + PART_BYTES);
    expect(header.subarray(-4).toString('latin1')).toBe('mdat');
  });

  test('starts a period where the previous one ended, with one offset for both tracks', () => {
    const builder = new Mp4Builder();
    builder.startPeriod(init);
    builder.addPart(partAt(100));
    builder.startPeriod(init);
    builder.addPart(partAt(7, 0.1));
    const header = builder.header();
    // 0.5 s of each period; the audio of the second period is 0.1 s (4,800 ticks) late.
    expect(readTable(header, 0, 'stts')).toEqual([1, 30, VIDEO_TICKS]);
    expect(readTable(header, 1, 'stts')).toEqual([3, 23, 1_000, 1, 1_000 + 4_800, 24, 1_000]);
  });

  test('delays a track that begins later', () => {
    const builder = new Mp4Builder();
    builder.startPeriod(init);
    builder.addPart(partAt(0, 0.25));
    const header = builder.header();
    expect(readTable(header, 0, 'elst')[0]).toBe(1);
    // Two edits: an empty one of 0.25 s, then the media from its start.
    expect(readTable(header, 1, 'elst').slice(0, 5)).toEqual([2, 0, 22_500, 0xffffffff, 0xffffffff]);
  });

  test('writes parameter sets into the stream after the video configuration has changed', () => {
    const [video, audio] = init;
    if (!video || !audio) throw new Error('the init segment has two tracks');
    const entry = Buffer.from(video.entry);
    entry.writeUInt16BE(640, 32); // another width
    const builder = new Mp4Builder();
    builder.startPeriod(init);
    builder.addPart(partAt(0));
    builder.startPeriod([{ ...video, entry }, audio]);
    const [sets, media] = builder.addPart(partAt(0));
    expect(sets).toEqual({ data: readParameterSets(entry) });
    expect(media).toMatchObject({ length: PART_BYTES });
    builder.startPeriod(init);
    expect(builder.addPart(partAt(0))[0]).toEqual({ data: readParameterSets(video.entry) });
    const header = builder.header();
    expect(readTable(header, 0, 'stsd')[0]).toBe(2);
    expect(header.toString('latin1').match(/avc3/g)).toHaveLength(2);
    expect(readTable(header, 0, 'stsc')).toEqual([3, 1, 15, 1, 2, 15, 2, 3, 15, 1]);
    expect(builder.mediaBytes).toBe(3 * PART_BYTES + 2 * readParameterSets(entry).length);
  });

  test('rejects a part with a track that its init segment does not name', () => {
    const builder = new Mp4Builder();
    builder.startPeriod(init.slice(0, 1));
    expect(() => builder.addPart(partAt(0))).toThrow('track 2');
  });
});
