import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareSegments,
  initPath,
  parseSegmentName,
  segmentPath,
  formatSegmentName,
  periodPath,
} from './recorded-segment';
import { isStorageKey, recordingKey } from '@/lib/core/storage-keys';

/** Segments with any times in whole microseconds, which are the precision of the names. */
const anySegment = fc.record({
  period: fc.constantFrom('1', '7', '12-3', '200000-14', '7-1193046471'),
  msn: fc.nat(2_000_000_000),
  startMs: fc.nat(50 * 3_600_000_000).map((us) => us / 1_000),
  durationMs: fc.nat(30_000_000).map((us) => us / 1_000),
  wallClockMs: fc.nat(4_000_000_000_000),
  independent: fc.boolean(),
});

test('a formatted segment name is parsed as the same segment', () => {
  fc.assert(
    fc.property(anySegment, (segment) => {
      expect(parseSegmentName(formatSegmentName(segment))).toEqual(segment);
    }),
  );
});

test.each([
  'init-1.mp4',
  'index.m3u8',
  '1_2_3_4_5_x.m4s',
  '1_2_3_4_5_i.m4s.part',
  '../1_2_3_4_5_i.m4s',
  '1-2-3_2_3_4_5_i.m4s',
  '1_2_3_4_5_i',
  '',
])("'%s' is not parsed as the name of a segment", (name) => {
  expect(parseSegmentName(name)).toBeNull();
});

test('segments, init segments and period files have valid storage keys', () => {
  const segment = {
    period: '12-3',
    msn: 9,
    startMs: 1.5,
    durationMs: 2_000,
    wallClockMs: 3,
    independent: true,
  };
  for (const path of [
    segmentPath('source', segment),
    initPath('r-0af3', '12-3'),
    periodPath('source', '12-3'),
  ]) {
    expect(isStorageKey(recordingKey('2b0d6c9e-8f57-4a1c-b7c4-0f4f8e1d3a92', path))).toBe(true);
  }
  expect(segmentPath('source', segment)).toBe('hls/source/12-3_9_1500_2000000_3_i.m4s');
});

test('segments are sorted numerically by period (publish, then counter), then by sequence number', () => {
  const createSegment = (period: string, msn: number) => ({
    period,
    msn,
    startMs: 0,
    durationMs: 1,
    wallClockMs: 0,
    independent: true,
  });
  const expected = [
    createSegment('9', 5),
    createSegment('9', 6),
    createSegment('9-1', 7),
    createSegment('10', 1),
    createSegment('10-2', 2),
    createSegment('10-10', 3),
  ];
  expect(expected.toReversed().toSorted(compareSegments)).toEqual(expected);
});
