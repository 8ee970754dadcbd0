import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { av1, buildAv1Record, buildAv1Sample, isAv1Keyframe, parseAv1Config } from './av1-config';
import { CodecDataError } from './bit-reader';
import { readObus, obuType, writeSizedObu } from './obu';
import { CONFIG_RECORDS } from './testing/codec-records';

describe('records of SVT-AV1 and libaom', () => {
  it.each([
    ['8 bit', CONFIG_RECORDS.av1320, 'av01.0.00M.08', 320, 180, 'yuv420p', 'SDR'],
    [
      '10 bit, HLG',
      CONFIG_RECORDS.av1Hlg322,
      'av01.0.00M.10.0.110.09.18.09.0',
      322,
      182,
      'yuv420p10le',
      'HLG',
    ],
  ])('are parsed: %s', (_name, record, codec, width, height, pixelFormat, videoRange) => {
    const facts = { codec, width, height, pixelFormat, videoRange };
    expect(parseAv1Config(record)).toMatchObject(facts);
    const [header] = [...readObus(record.subarray(4))];
    expect(parseAv1Config(buildAv1Record(header?.payload ?? Buffer.alloc(0)))).toMatchObject(facts);
  });

  it('parses any bytes, or throws CodecDataError', () => {
    const changedRecords = fc
      .tuple(fc.nat(CONFIG_RECORDS.av1Hlg322.length - 1), fc.nat(255))
      .map(([offset, byte]) => {
        const bytes = Buffer.from(CONFIG_RECORDS.av1Hlg322);
        bytes[offset] = byte;
        // A third of the records are truncated instead.
        return byte % 3 === 0 ? bytes.subarray(0, offset) : bytes;
      });
    const anyBytes = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(changedRecords, anyBytes), (bytes) => {
        try {
          const { width, height } = parseAv1Config(bytes);
          expect(width * height).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(CodecDataError);
        }
        isAv1Keyframe(bytes);
        av1.sequencesIn(bytes, 0);
        av1.changedRecordFor(bytes, CONFIG_RECORDS.av1320);
        expect(Buffer.concat([...readObus(bytes)].map((obu) => obu.bytes)).length).toBeLessThanOrEqual(
          bytes.length,
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('temporal units', () => {
  const header = [...readObus(CONFIG_RECORDS.av1320.subarray(4))][0]?.payload ?? Buffer.alloc(0);
  const sequence = writeSizedObu(obuType.sequenceHeader, header);
  const delimiter = writeSizedObu(obuType.temporalDelimiter, Buffer.alloc(0));
  /** @param firstByte show_existing_frame, frame_type (2 bits) and show_frame in the upper half */
  const frame = (firstByte: number) => writeSizedObu(obuType.frame, Buffer.from([firstByte, 1, 2]));
  const [key, hiddenFrame, inter, repeatedFrame] = [frame(0x10), frame(0x00), frame(0x30), frame(0x80)];

  it.each([
    ['a shown key frame', [key, inter], true],
    ['a hidden key frame', [hiddenFrame, key], false],
    ['an inter frame', [inter, key], false],
    ['a repeated frame', [repeatedFrame], false],
    ['nothing', [], false],
  ])('are keyframes only if they begin with a shown key frame: %s', (_name, units, isKeyframe) => {
    expect(isAv1Keyframe(Buffer.concat([delimiter, sequence, ...units]))).toBe(isKeyframe);
  });

  it('become samples without delimiters and padding; keyframes get a sequence header, unless they have one', () => {
    const padding = writeSizedObu(obuType.padding, Buffer.alloc(300));
    expect(buildAv1Sample(Buffer.concat([delimiter, sequence, key, padding]))).toEqual(
      Buffer.concat([sequence, key]),
    );
    const wholeFrame = Buffer.concat([sequence, key]);
    expect(buildAv1Sample(wholeFrame)).toBe(wholeFrame);
    expect(av1.addParameterSets(key, CONFIG_RECORDS.av1320)).toEqual(wholeFrame);
    expect(av1.addParameterSets(wholeFrame, CONFIG_RECORDS.av1320)).toBe(wholeFrame);
  });

  it('give a new record if their sequence header is another one', () => {
    const unit = Buffer.concat([sequence, key]);
    expect(av1.changedRecordFor(unit, CONFIG_RECORDS.av1320)).toBeNull();
    const record = av1.changedRecordFor(unit, CONFIG_RECORDS.av1Hlg322);
    expect(record && parseAv1Config(record).codec).toBe('av01.0.00M.08');
    expect(av1.changedRecordFor(key, null)).toBeNull();
  });
});
