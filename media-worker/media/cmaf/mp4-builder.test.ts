import { describe, expect, test } from 'vitest';
import { parseAacConfig, parseAvcConfig } from './codec-config';
import { buildInitSegment } from './init-segment';
import { buildMediaPart } from './media-part';
import { Mp4Builder } from './mp4-builder';
import { findBox } from './read-boxes';
import { readParameterSets, readInit } from './read-init';
import { readMoof } from './read-part';
import { RECORDS } from './testing/codec-records';

const tracks = { video: parseAvcConfig(RECORDS.high320), audio: parseAacConfig(RECORDS.aacStereo48) };
const init = readInit(buildInitSegment(tracks));
const VIDEO_TICKS = 3_000;

/**
 * Half a second of a steady encoder from `start` seconds; the audio is `late` seconds behind the video.
 * @param leads frame durations from decoding to presentation, of each frame
 */
function partAt(start: number, late = 0, leads: readonly number[] = []) {
  const part = Buffer.concat(
    buildMediaPart({
      sequence: 1,
      video: {
        start: start * 90_000,
        samples: Array.from({ length: 15 }, (_, index) => ({
          data: Buffer.from('video'),
          duration: VIDEO_TICKS,
          compositionOffset: (leads[index] ?? 0) * VIDEO_TICKS,
          key: index === 0,
        })),
      },
      audio: {
        start: (start + late) * 48_000,
        samples: Array.from({ length: 24 }, () => ({ data: Buffer.from('snd'), duration: 1_000 })),
      },
    }),
  );
  return readMoof(part.subarray(0, part.readUInt32BE(0)));
}

const table = (header: Buffer, trak: number, name: string): number[] => {
  const moov = findBox(header, ['moov']);
  const traks: number[] = [];
  for (let offset = moov.start; offset < moov.end; offset += header.readUInt32BE(offset)) {
    if (header.toString('latin1', offset + 4, offset + 8) === 'trak') traks.push(offset);
  }
  const offset = traks[trak] ?? 0;
  const within = { type: 'trak', start: offset + 8, end: offset + header.readUInt32BE(offset) };
  const path = name === 'elst' ? ['edts', 'elst'] : ['mdia', 'minf', 'stbl', name];
  const box = findBox(header, path, within);
  const values: number[] = [];
  for (let position = box.start + 4; position + 4 <= box.end; position += 4)
    values.push(header.readUInt32BE(position));
  return values;
};

describe('Mp4Builder', () => {
  test('a piece after one that ends before its last frames in display order is shown after them', () => {
    const builder = new Mp4Builder();
    builder.startPiece(init);
    builder.addPart(
      partAt(
        0,
        0,
        Array.from({ length: 15 }, (_, index) => (index === 14 ? 5 : 2)),
      ),
    );
    builder.startPiece(init);
    builder.addPart(partAt(70, 0, Array<number>(15).fill(2)));
    const [, ...durations] = table(builder.header(), 0, 'stts');
    // The last frame of the first piece has number 14 + 5, and the first of the next has number 15 + 3 + 2.
    expect(durations).toEqual([14, VIDEO_TICKS, 1, 4 * VIDEO_TICKS, 15, VIDEO_TICKS]);
  });

  test('a wrong composition offset delays the next piece by half a second at most', () => {
    const builder = new Mp4Builder();
    builder.startPiece(init);
    builder.addPart(
      partAt(
        0,
        0,
        Array.from({ length: 15 }, (_, index) => (index === 14 ? 200_000 : 0)),
      ),
    );
    builder.startPiece(init);
    builder.addPart(partAt(70));
    const [, ...durations] = table(builder.header(), 0, 'stts');
    expect(durations).toEqual([14, VIDEO_TICKS, 1, VIDEO_TICKS + 45_000, 15, VIDEO_TICKS]);
  });

  test('copies all samples of a part in order, one chunk per track', () => {
    const builder = new Mp4Builder();
    builder.startPiece(init);
    const [first] = builder.addPart(partAt(0));
    expect(first).toMatchObject({ length: 15 * 5 + 24 * 3 });
    const header = builder.header();
    expect(builder.mediaBytes).toBe(147);
    expect(table(header, 0, 'stco')).toEqual([1, header.length]);
    expect(table(header, 1, 'stco')).toEqual([1, header.length + 75]);
    expect(table(header, 0, 'stsc')).toEqual([1, 1, 15, 1]);
    expect(table(header, 0, 'stss')).toEqual([1, 1]);
    expect(table(header, 0, 'stts')).toEqual([1, 15, VIDEO_TICKS]);
    expect(header.subarray(-8).toString('latin1')).toBe(`\0\0\0${String.fromCharCode(155)}mdat`);
  });

  test('starts a piece where the previous one ended, with one offset for both tracks', () => {
    const builder = new Mp4Builder();
    builder.startPiece(init);
    builder.addPart(partAt(100));
    builder.startPiece(init);
    builder.addPart(partAt(7, 0.1));
    const header = builder.header();
    // 0.5 s of each piece; the audio of the second piece is 0.1 s late.
    expect(table(header, 0, 'stts')).toEqual([1, 30, VIDEO_TICKS]);
    expect(table(header, 1, 'stts')).toEqual([3, 23, 1_000, 1, 1_000 + 4_800, 24, 1_000]);
  });

  test('delays a track that begins later', () => {
    const builder = new Mp4Builder();
    builder.startPiece(init);
    builder.addPart(partAt(0, 0.25));
    const header = builder.header();
    expect(table(header, 0, 'elst')[0]).toBe(1);
    // Two edits: an empty one of 0.25 s, then the media from its start.
    expect(table(header, 1, 'elst').slice(0, 5)).toEqual([2, 0, 22_500, 0xffffffff, 0xffffffff]);
  });

  test('writes parameter sets into the stream after the video configuration has changed', () => {
    const [video, audio] = init;
    if (!video || !audio) throw new Error('the init segment has two tracks');
    const entry = Buffer.from(video.entry);
    entry.writeUInt16BE(640, 32);
    const builder = new Mp4Builder();
    builder.startPiece(init);
    builder.addPart(partAt(0));
    builder.startPiece([{ ...video, entry }, audio]);
    const [sets, mediaBytes] = builder.addPart(partAt(0));
    expect(sets).toEqual({ data: readParameterSets(entry) });
    expect(mediaBytes).toMatchObject({ length: 147 });
    builder.startPiece(init);
    expect(builder.addPart(partAt(0))[0]).toEqual({ data: readParameterSets(video.entry) });
    const header = builder.header();
    expect(table(header, 0, 'stsd')[0]).toBe(2);
    expect(header.toString('latin1').split('avc3')).toHaveLength(3);
    expect(table(header, 0, 'stsc')).toEqual([3, 1, 15, 1, 2, 15, 2, 3, 15, 1]);
    expect(builder.mediaBytes).toBe(3 * 147 + 2 * readParameterSets(entry).length);
  });

  test('rejects a part with a track that its init segment does not name', () => {
    const builder = new Mp4Builder();
    builder.startPiece(init.slice(0, 1));
    expect(() => builder.addPart(partAt(0))).toThrow('track 2');
  });
});
