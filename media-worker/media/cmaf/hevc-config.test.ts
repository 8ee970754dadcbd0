import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodecDataError } from './bit-reader';
import {
  hevc,
  collectHevcParameterSets,
  buildHevcRecord,
  isHevcKeyframe,
  parseHevcConfig,
} from './hevc-config';
import { parseHevcSps } from './hevc-sps';
import { prefixWithLengths, readNalUnits } from './nal-units';
import { BitWriter } from './testing/bit-writer';
import { CONFIG_RECORDS, withEmulationPrevention } from './testing/codec-records';

const unit = (type: number, ...bytes: number[]) => Buffer.from([type << 1, 1, ...bytes]);
const setsOf = (record: Buffer) => collectHevcParameterSets(readNalUnits(hevc.parameterSetsOf(record), 4));

describe('records of x265', () => {
  it.each([
    ['8 bit', CONFIG_RECORDS.hevc320, 'hvc1.1.6.L60.90', 320, 180, 30, 'yuv420p', 'SDR'],
    ['10 bit, PQ', CONFIG_RECORDS.hevcHdr640, 'hvc1.2.4.L63.90', 640, 360, 25, 'yuv420p10le', 'PQ'],
  ])('are parsed: %s', (_name, record, codec, width, height, fps, pixelFormat, videoRange) => {
    const facts = { codec, width, height, fps, pixelFormat, videoRange, nalLengthSize: 4 };
    expect(parseHevcConfig(record)).toMatchObject(facts);
    expect(parseHevcConfig(buildHevcRecord(setsOf(record)))).toMatchObject(facts);
  });
});

interface SpsFields {
  readonly width: number;
  readonly height: number;
  readonly crop: readonly [number, number, number, number] | undefined;
  readonly depth: number;
  readonly subLayers: number;
  /** Number of pictures of each short-term reference picture set, or that it is predicted from the set before it. */
  readonly referenceSets: readonly (number | 'predicted')[];
  readonly hasScalingLists: boolean;
  readonly longTermCount: number;
  readonly transfer: number | undefined;
  readonly timing: { readonly unitsInTick: number; readonly timeScale: number } | undefined;
}

/** An SPS with fields that real encoders rarely use. */
function spsOf(fields: SpsFields): Buffer {
  const { subLayers, crop, depth, timing, transfer } = fields;
  const writer = new BitWriter().bits(0, 4).bits(subLayers, 3).bits(1, 1);
  writer.bits(2, 8).bits(0x20000000, 32).bits(0x9000, 16).bits(0, 32).bits(93, 8);
  for (let i = 0; i < subLayers; i++) writer.bits(3, 2);
  if (subLayers > 0) writer.bits(0, 2 * (8 - subLayers));
  for (let i = 0; i < subLayers; i++) writer.bits(0, 32).bits(0, 32).bits(0, 32);
  writer
    .ue(0)
    .ue(1)
    .ue(fields.width)
    .ue(fields.height)
    .bits(crop ? 1 : 0, 1);
  for (const side of crop ?? []) writer.ue(side);
  writer.ue(depth - 8).ue(depth - 8).ue(4).bits(1, 1); // prettier-ignore
  for (let i = 0; i <= subLayers; i++) writer.ue(4).ue(2).ue(0);
  for (let i = 0; i < 6; i++) writer.ue(1);
  writer.bits(fields.hasScalingLists ? 3 : 0, fields.hasScalingLists ? 2 : 1);
  if (fields.hasScalingLists) for (let list = 0; list < 20; list++) writer.bits(0, 1).ue(0);
  writer.bits(0, 3).ue(fields.referenceSets.length);
  let setSize = 0;
  fields.referenceSets.forEach((setEntry, index) => {
    const isPredicted = setEntry === 'predicted' && index > 0;
    if (index > 0) writer.bits(isPredicted ? 1 : 0, 1);
    if (isPredicted) {
      writer.bits(0, 1).ue(0);
      for (let i = 0; i <= setSize; i++) writer.bits(i === 0 ? 0 : 1, i === 0 ? 2 : 1);
      return;
    }
    setSize = setEntry === 'predicted' ? 1 : setEntry;
    writer.ue(setSize).ue(0);
    for (let i = 0; i < setSize; i++) writer.ue(0).bits(1, 1);
  });
  writer.bits(fields.longTermCount > 0 ? 1 : 0, 1);
  if (fields.longTermCount > 0) writer.ue(fields.longTermCount);
  for (let i = 0; i < fields.longTermCount; i++) writer.bits(0, 9);
  writer.bits(0, 2).bits(1, 1); // the VUI follows
  writer.bits(0, 2).bits(transfer === undefined ? 0 : 1, 1);
  if (transfer !== undefined) writer.bits(5, 3).bits(0, 1).bits(1, 1).bits(9, 8).bits(transfer, 8).bits(9, 8); // prettier-ignore
  writer.bits(0, 5).bits(timing ? 1 : 0, 1);
  if (timing) writer.bits(timing.unitsInTick, 32).bits(timing.timeScale, 32);
  writer.bits(1, 1);
  return Buffer.concat([Buffer.from([0x42, 1]), withEmulationPrevention(writer.bytes())]);
}

describe('SPS of HEVC', () => {
  const fields = fc.record({
    width: fc.integer({ min: 64, max: 8_192 }),
    height: fc.integer({ min: 64, max: 8_192 }),
    crop: fc.option(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(3)), { nil: undefined }),
    depth: fc.constantFrom(8, 10),
    subLayers: fc.nat(6),
    referenceSets: fc.array(fc.oneof(fc.nat(4), fc.constant('predicted' as const)), { maxLength: 8 }),
    hasScalingLists: fc.boolean(),
    longTermCount: fc.nat(3),
    transfer: fc.option(fc.constantFrom(1, 16, 18), { nil: undefined }),
    timing: fc.option(
      fc.record({
        unitsInTick: fc.integer({ min: 1, max: 2_000 }),
        timeScale: fc.integer({ min: 4_000, max: 96_000 }),
      }),
      { nil: undefined },
    ),
  });

  it('parses back any written fields', () => {
    fc.assert(
      fc.property(fields, (spsFields) => {
        const facts = parseHevcSps(spsOf(spsFields));
        const [cropLeft, right, top, bottom] = spsFields.crop ?? [0, 0, 0, 0];
        expect([facts.width, facts.height]).toEqual([
          spsFields.width - 2 * (cropLeft + right),
          spsFields.height - 2 * (top + bottom),
        ]);
        expect(facts.codec).toBe('hvc1.2.4.L93.90');
        expect(facts.temporalLayers).toBe(spsFields.subLayers + 1);
        expect(facts.pixelFormat).toBe(spsFields.depth === 10 ? 'yuv420p10le' : 'yuv420p');
        const range = spsFields.transfer === 16 ? 'PQ' : spsFields.transfer === 18 ? 'HLG' : 'SDR';
        expect(facts.videoRange).toBe(range);
        const expectedFps = spsFields.timing && spsFields.timing.timeScale / spsFields.timing.unitsInTick;
        expect(facts.fps).toBe(
          expectedFps !== undefined && expectedFps >= 1 && expectedFps <= 480 ? expectedFps : undefined,
        );
      }),
    );
  });

  it('parses any bytes, or throws CodecDataError', () => {
    const corruptRecords = fc
      .tuple(fc.nat(CONFIG_RECORDS.hevc320.length - 1), fc.nat(255))
      .map(([offset, byte]) => {
        const bytes = Buffer.from(CONFIG_RECORDS.hevc320);
        bytes[offset] = byte;
        // A third of the records are truncated instead.
        return byte % 3 === 0 ? bytes.subarray(0, offset) : bytes;
      });
    const anyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(corruptRecords, anyBytes), (record) => {
        try {
          const { width, height } = parseHevcConfig(record);
          expect(width * height).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(CodecDataError);
        }
        hevc.sequencesIn(record, 4);
        hevc.isKeyframe(record, 2);
        hevc.changedRecordFor(record, CONFIG_RECORDS.hevc320);
      }),
      { numRuns: 500 },
    );
  });
});

describe('frames of HEVC', () => {
  const { vps, sps, pps } = setsOf(CONFIG_RECORDS.hevc320);
  const frame = (...units: Buffer[]) => prefixWithLengths(units);

  it('are keyframes only if they are IDR, BLA or CRA pictures', () => {
    const isKeyframeOfType = (type: number) => isHevcKeyframe([unit(35, 0x50), ...sps, unit(type, 0xaf)]);
    const keyTypes = Array.from({ length: 32 }, (_, type) => type).filter(isKeyframeOfType);
    expect(keyTypes).toEqual([16, 17, 18, 19, 20, 21]);
    expect(isHevcKeyframe([...vps, ...sps])).toBe(false);
  });

  it('get parameter sets after the delimiter, unless they have them', () => {
    const keyframe = frame(unit(35, 0x50), unit(19, 1, 2));
    const wholeFrame = hevc.addParameterSets(keyframe, CONFIG_RECORDS.hevc320);
    expect([...readNalUnits(wholeFrame, 4)]).toEqual([
      unit(35, 0x50),
      ...vps,
      ...sps,
      ...pps,
      unit(19, 1, 2),
    ]);
    expect(hevc.addParameterSets(wholeFrame, CONFIG_RECORDS.hevc320)).toBe(wholeFrame);
  });

  it('give a new record for a keyframe with other sets, and for the first one without a record', () => {
    const otherSets = setsOf(CONFIG_RECORDS.hevcHdr640);
    const keyframe = frame(...otherSets.vps, ...otherSets.sps, ...otherSets.pps, unit(19, 1));
    expect(hevc.changedRecordFor(keyframe, CONFIG_RECORDS.hevcHdr640)).toBeNull();
    const changedRecord = hevc.changedRecordFor(keyframe, CONFIG_RECORDS.hevc320);
    expect(changedRecord && parseHevcConfig(changedRecord)).toMatchObject({
      width: 640,
      codec: 'hvc1.2.4.L63.90',
    });
    expect(hevc.changedRecordFor(keyframe, null)).toEqual(changedRecord);
    expect(hevc.changedRecordFor(frame(unit(19, 1)), null)).toBeNull();
  });

  it('with too many empty NAL units are not scanned completely', () => {
    const empty = Buffer.concat([Buffer.alloc(16_000_000), frame(unit(19, 1))]);
    expect(hevc.isKeyframe(empty, 4)).toBe(false);
    expect(hevc.sequencesIn(empty, 4)).toEqual([]);
  });

  it('are read with length prefixes of 1, 2 or 4 bytes', () => {
    const anyUnits = fc.array(
      fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(anyUnits, fc.constantFrom(1, 2, 4), (units, lengthSize) => {
        expect([...readNalUnits(prefixWithLengths(units, lengthSize), lengthSize)]).toEqual(units);
      }),
    );
  });
});
