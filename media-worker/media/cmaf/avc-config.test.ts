import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { CodecDataError, displaySize, parseAvcConfig } from './codec-config';
import { parseSps } from './sps';
import { avcRecordOf, PLAIN_SPS, CONFIG_RECORDS, spsOf } from './testing/codec-records';
import type { SpsFields } from './testing/codec-records';

describe('records of real encoders', () => {
  it.each([
    [
      'high, cropped, non-square, 29.97',
      CONFIG_RECORDS.high320,
      'avc1.64000d',
      322,
      182,
      4 / 3,
      30000 / 1001,
    ],
    ['constrained baseline', CONFIG_RECORDS.baseline360, 'avc1.42c01e', 640, 360, 1, 25],
    [
      'interlaced, 1088 lines cropped to 1080',
      CONFIG_RECORDS.interlaced1080,
      'avc1.4d4028',
      1920,
      1080,
      1,
      25,
    ],
    ['10 bit', CONFIG_RECORDS.tenBit, 'avc1.6e000a', 128, 96, 1, 25],
  ])('are parsed: %s', (_name, record, codec, width, height, sar, fps) => {
    const config = parseAvcConfig(record);
    expect(config).toMatchObject({ codec, width, height, record });
    expect(config.sar.num / config.sar.den).toBeCloseTo(sar);
    expect(config.fps).toBeCloseTo(fps);
    expect(displaySize(config)).toEqual({ width: Math.round(width * sar), height });
  });
});

describe('SPS', () => {
  const fields = fc.record({
    profile: fc.constantFrom(66, 77, 100, 110, 122),
    level: fc.constantFrom(10, 31, 40, 52),
    widthInBlocks: fc.integer({ min: 2, max: 512 }),
    heightInUnits: fc.integer({ min: 2, max: 256 }),
    interlaced: fc.boolean(),
    orderCountType: fc.constantFrom(0, 1, 2),
    crop: fc.option(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(3)), { nil: undefined }),
    sar: fc.option(fc.tuple(fc.integer({ min: 1, max: 65535 }), fc.integer({ min: 1, max: 65535 })), {
      nil: undefined,
    }),
    timing: fc.option(
      fc.record({
        unitsInTick: fc.integer({ min: 1, max: 2000 }),
        timeScale: fc.integer({ min: 4000, max: 960000 }),
      }),
      { nil: undefined },
    ),
  });

  it('parses back any written fields', () => {
    fc.assert(
      fc.property(fields, (input: SpsFields) => {
        const { width, height, sar, fps, codec } = parseSps(spsOf(input));
        const [cropLeft, right, top, bottom] = input.crop ?? [0, 0, 0, 0];
        const rows = input.interlaced ? 2 : 1;
        expect(width).toBe(input.widthInBlocks * 16 - 2 * (cropLeft + right));
        expect(height).toBe(input.heightInUnits * 16 * rows - 2 * rows * (top + bottom));
        expect(sar).toEqual(input.sar ? { num: input.sar[0], den: input.sar[1] } : { num: 1, den: 1 });
        const expectedFps = input.timing && input.timing.timeScale / (2 * input.timing.unitsInTick);
        expect(fps).toBe(
          expectedFps !== undefined && expectedFps <= 480 && expectedFps >= 1 ? expectedFps : undefined,
        );
        expect(Buffer.from(codec.slice(5), 'hex')).toEqual(Buffer.from([input.profile, 0, input.level]));
      }),
    );
  });

  it('parses any bytes, or throws CodecDataError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        try {
          const { width, height } = parseSps(Buffer.concat([Buffer.from([0x67]), bytes]));
          expect(width > 0 && height > 0).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(CodecDataError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the size when the VUI is truncated', () => {
    const wholeSps = spsOf({ ...PLAIN_SPS, timing: { unitsInTick: 1, timeScale: 60 } });
    expect(parseSps(wholeSps.subarray(0, wholeSps.length - 4))).toMatchObject({
      width: 1280,
      height: 720,
      fps: undefined,
    });
  });

  it.each([
    ['another NAL unit', Buffer.from('6842c01ed900', 'hex'), 'SPS has a wrong NAL unit type'],
    ['nothing', Buffer.alloc(0), 'SPS has a wrong NAL unit type'],
    ['truncated', spsOf(PLAIN_SPS).subarray(0, 6), 'SPS is truncated'],
    [
      'crop beyond the picture',
      spsOf({ ...PLAIN_SPS, crop: [400, 400, 0, 0] }),
      'impossible picture size -320x720',
    ],
  ])('rejects %s', (_name, bytes, message) => {
    expect(() => parseSps(bytes)).toThrow(message);
  });
});

test('a parsed configuration has the pixel format of its samples', () => {
  const formatOf = (fields: Partial<SpsFields>) => parseSps(spsOf({ ...PLAIN_SPS, ...fields })).pixelFormat;
  expect(formatOf({})).toBe('yuv420p');
  expect(formatOf({ profile: 100 })).toBe('yuv420p');
  expect(formatOf({ profile: 110, bitDepth: 10 })).toBe('yuv420p10le');
  expect(formatOf({ profile: 122, chroma: 2, bitDepth: 10 })).toBe('yuv422p10le');
  expect(formatOf({ profile: 244, chroma: 3 })).toBe('yuv444p');
  expect(parseAvcConfig(CONFIG_RECORDS.tenBit).pixelFormat).toBe('yuv420p10le');
});

describe('avcC', () => {
  const sps = spsOf(PLAIN_SPS);

  it.each([1, 2, 4])('accepts NAL lengths of %d bytes', (size) => {
    expect(parseAvcConfig(avcRecordOf(sps, size)).codec).toBe('avc1.4d001f');
  });

  it.each([
    ['empty', Buffer.alloc(0), 'impossible length of 0 bytes'],
    ['another version', Buffer.concat([Buffer.from([2]), avcRecordOf(sps).subarray(1)]), 'unknown version'],
    ['NAL lengths of 3 bytes', avcRecordOf(sps, 3), 'NAL length size of 3'],
    ['no SPS', Buffer.from('0142c01effe00100056801020304', 'hex'), 'avcC holds no SPS'],
    ['no PPS', avcRecordOf(sps).subarray(0, 8 + sps.length), 'avcC holds no PPS'],
    ['a PPS truncated', avcRecordOf(sps).subarray(0, -2), 'avcC has a truncated PPS'],
    [
      'an SPS longer than the record',
      Buffer.from('0142c01effe1ffff6742c01e', 'hex'),
      'avcC has a truncated SPS',
    ],
  ])('rejects %s', (_name, record, message) => {
    expect(() => parseAvcConfig(record)).toThrow(message);
    expect(() => parseAvcConfig(record)).toThrow(CodecDataError);
  });

  it('parses a record with any byte damaged and truncated at any length, or throws CodecDataError', () => {
    fc.assert(
      fc.property(
        fc.nat(CONFIG_RECORDS.high320.length - 1),
        fc.nat(255),
        fc.nat(46),
        (offset, byte, length) => {
          const brokenRecord = Buffer.from(CONFIG_RECORDS.high320.subarray(0, length));
          brokenRecord[offset] = byte;
          try {
            expect(parseAvcConfig(brokenRecord).codec).toMatch(/^avc1\.[0-9a-f]{6}$/);
          } catch (error) {
            expect(error).toBeInstanceOf(CodecDataError);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
