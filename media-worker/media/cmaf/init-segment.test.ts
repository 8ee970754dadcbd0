import { describe, expect, it } from 'vitest';
import { parseAacConfig, parseAvcConfig } from './codec-config';
import { buildInitSegment } from './init-segment';
import { BitWriter } from './testing/bit-writer';
import { CONFIG_RECORDS } from './testing/codec-records';
import { findBox, readBoxes } from './testing/read-boxes';

const video = parseAvcConfig(CONFIG_RECORDS.high320);
const audio = parseAacConfig(CONFIG_RECORDS.aacMono44);

describe('buildInitSegment', () => {
  it('is a file type box and a movie box without samples', () => {
    const bytes = buildInitSegment({ video, audio });
    expect(readBoxes(bytes).map(({ type }) => type)).toEqual(['ftyp', 'moov']);
    const movie = findBox(bytes, 'moov').children.map(({ type }) => type);
    expect(movie).toEqual(['mvhd', 'trak', 'trak', 'mvex']);
    expect(findBox(bytes, 'moov/trak/mdia/minf/stbl/stsz').body.readUInt32BE(8)).toBe(0);
  });

  it.each([
    ['video only', { video, audio: undefined }, ['vide']],
    ['audio only', { video: undefined, audio }, ['soun']],
  ])('%s has one track and one default', (_name, tracks, handlers) => {
    const bytes = buildInitSegment(tracks);
    const traks = findBox(bytes, 'moov').children.filter(({ type }) => type === 'trak');
    expect(traks).toHaveLength(handlers.length);
    expect(findBox(bytes, 'moov/trak/mdia/hdlr').body.toString('latin1', 8, 12)).toBe(handlers[0]);
    expect(findBox(bytes, 'moov/mvex').children).toHaveLength(1);
  });

  it('has the size in samples, the sample aspect ratio and the display size', () => {
    const bytes = buildInitSegment({ video, audio });
    const entry = findBox(bytes, 'moov/trak/mdia/minf/stbl/stsd/avc1').body;
    // Width and height of a VisualSampleEntry, and below of the track header.
    expect([entry.readUInt16BE(24), entry.readUInt16BE(26)]).toEqual([322, 182]);
    const shape = findBox(bytes, 'moov/trak/mdia/minf/stbl/stsd/avc1/pasp').body;
    expect(shape.readUInt32BE(0) / shape.readUInt32BE(4)).toBeCloseTo(4 / 3);
    const header = findBox(bytes, 'moov/trak/tkhd').body;
    expect([header.readUInt16BE(76), header.readUInt16BE(80)]).toEqual([429, 182]);
    expect(findBox(bytes, 'moov/trak/mdia/minf/stbl/stsd/avc1/avcC').body).toEqual(CONFIG_RECORDS.high320);
  });

  it('has rate and channels, and the AudioSpecificConfig', () => {
    const entry = findBox(buildInitSegment({ video, audio }), 'moov/trak#1/mdia/minf/stbl/stsd/mp4a').body;
    expect(entry.readUInt16BE(16)).toBe(1);
    expect(entry.readUInt32BE(24)).toBe(44100 * 65536);
    expect(entry.includes(Buffer.concat([Buffer.from([5, 5]), CONFIG_RECORDS.aacMono44]))).toBe(true);
  });

  it('leaves a sample rate above 16 bits to the AudioSpecificConfig', () => {
    const audio96 = parseAacConfig(new BitWriter().bits(2, 5).bits(0, 4).bits(2, 4).bits(0, 3).bytes());
    const bytes = buildInitSegment({ video: undefined, audio: audio96 });
    expect(findBox(bytes, 'moov/trak/mdia/minf/stbl/stsd/mp4a').body.readUInt32BE(24)).toBe(0);
    expect(findBox(bytes, 'moov/trak/mdia/mdhd').body.readUInt32BE(12)).toBe(96000);
  });

  it('writes descriptor lengths above 127 in two bytes', () => {
    const audioWithLongRecord = {
      ...audio,
      record: Buffer.concat([CONFIG_RECORDS.aacMono44, Buffer.alloc(200)]),
    };
    const descriptors = findBox(
      buildInitSegment({ video: undefined, audio: audioWithLongRecord }),
      'moov/trak/mdia/minf/stbl/stsd/mp4a/esds',
    );
    expect(descriptors.body.includes(Buffer.from([5, 0x81, 205 & 0x7f]))).toBe(true);
  });
});
