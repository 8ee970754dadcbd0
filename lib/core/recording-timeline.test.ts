import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordedSegment } from './recorded-segment';
import { cellOf, continues, recordingTimeline, type RecordedRendition } from './recording-timeline';

const epoch = Date.UTC(2030, 0, 1);

interface Publish {
  readonly period: string;
  readonly count: number;
  /** Pause in front of it, ms. */
  readonly pauseMs?: number;
  readonly startMs?: number;
  readonly firstMsn?: number;
}

/** Segments of 2 s each, publish after publish. */
function segmentsOf(publishes: readonly Publish[]): RecordedSegment[] {
  let wallMs = epoch;
  let msn = 1_000;
  return publishes.flatMap(({ period, count, pauseMs = 0, startMs = 0, firstMsn }) => {
    wallMs += pauseMs;
    msn = firstMsn ?? msn;
    return Array.from({ length: count }, (_, index) => {
      const segment = {
        period,
        msn,
        startMs: startMs + index * 2_000,
        durationMs: 2_000,
        wallMs,
        independent: true,
      };
      wallMs += 2_000;
      msn += 1;
      return segment;
    });
  });
}

const source = (segments: readonly RecordedSegment[]): RecordedRendition => ({ folder: 'source', segments });
const rendition = (segments: readonly RecordedSegment[], folder = 'r-1'): RecordedRendition => ({
  folder,
  segments,
});

describe('recordingTimeline', () => {
  test('one publish: no break, no gap', () => {
    const { rows, gaps, folders } = recordingTimeline([source(segmentsOf([{ period: '1', count: 3 }]))]);
    expect(rows.map(({ discontinuity }) => discontinuity)).toEqual([false, false, false]);
    expect([gaps, folders]).toEqual([[], ['source']]);
  });

  test('a reconnect breaks the timeline and leaves its pause as a gap', () => {
    const stored = segmentsOf([
      { period: '1', count: 2 },
      { period: '2', count: 2, pauseMs: 7_000 },
    ]);
    const { rows, gaps } = recordingTimeline([source(stored.toReversed())]);
    expect(rows.map(({ discontinuity }) => discontinuity)).toEqual([false, false, true, false]);
    expect(gaps).toEqual([{ from: epoch + 4_000, to: epoch + 11_000 }]);
  });

  test('a segment that was not stored breaks it too', () => {
    const stored = segmentsOf([{ period: '1', count: 4 }]).filter((_, index) => index !== 2);
    const { rows, gaps } = recordingTimeline([source(stored)]);
    expect(rows.map(({ discontinuity }) => discontinuity)).toEqual([false, false, true]);
    expect(gaps).toEqual([{ from: epoch + 4_000, to: epoch + 6_000 }]);
  });

  test('other settings in the middle of a publish: a break without a gap', () => {
    const { rows, gaps } = recordingTimeline([
      source(
        segmentsOf([
          { period: '1', count: 1 },
          { period: '1-1', count: 1, startMs: 2_000 },
        ]),
      ),
    ]);
    expect([rows.map(({ discontinuity }) => discontinuity), gaps]).toEqual([[false, true], []]);
  });

  test('a rendition is aligned by the media timeline, whatever its numbers', () => {
    const own = segmentsOf([{ period: '1', count: 3, firstMsn: 77 }]).map((segment) => ({
      ...segment,
      startMs: segment.startMs + 33,
    }));
    const { rows, folders } = recordingTimeline([
      source(segmentsOf([{ period: '1', count: 3 }])),
      rendition(own),
    ]);
    expect(folders).toEqual(['source', 'r-1']);
    expect(rows.map((row) => cellOf(row, 'r-1').msn)).toEqual([77, 78, 79]);
    expect(rows.some(({ discontinuity }) => discontinuity)).toBe(false);
  });

  test('where a rendition is missing it plays the source, and all break there alike', () => {
    const own = segmentsOf([{ period: '1', count: 4, firstMsn: 50 }]).filter((_, index) => index !== 1);
    const { rows } = recordingTimeline([source(segmentsOf([{ period: '1', count: 4 }])), rendition(own)]);
    expect(rows.map((row) => cellOf(row, 'r-1').folder)).toEqual(['r-1', 'source', 'r-1', 'r-1']);
    expect(rows.map(({ discontinuity }) => discontinuity)).toEqual([false, true, true, false]);
  });

  test('a rendition of less than half the recording is not offered', () => {
    const own = segmentsOf([{ period: '1', count: 1 }]);
    const { folders, rows } = recordingTimeline([
      source(segmentsOf([{ period: '1', count: 3 }])),
      rendition(own),
    ]);
    expect(folders).toEqual(['source']);
    expect(rows.every(({ own: cells }) => cells.size === 0)).toBe(true);
  });

  test('without a source there is nothing', () => {
    const own = rendition(segmentsOf([{ period: '1', count: 3 }]));
    expect(recordingTimeline([own])).toEqual({ rows: [], folders: ['source'], gaps: [] });
    expect(recordingTimeline([])).toEqual({ rows: [], folders: ['source'], gaps: [] });
  });
});

/** Publishes, with any segments of any rendition lost. */
const life = fc.record({
  publishes: fc.array(
    fc.record({ count: fc.integer({ min: 1, max: 6 }), pauseMs: fc.nat(20_000), restarted: fc.boolean() }),
    { minLength: 1, maxLength: 5 },
  ),
  lost: fc.array(fc.tuple(fc.nat(2), fc.nat(30)), { maxLength: 20 }),
});

test('whatever is lost: every segment of the source once, in order, and neighbours decode or break', () => {
  fc.assert(
    fc.property(life, ({ publishes, lost }) => {
      let end = 0;
      const all = segmentsOf(
        publishes.map(({ count, pauseMs, restarted }, index) => {
          const startMs = restarted ? 0 : end;
          end = startMs + count * 2_000;
          return { period: String(index + 8), count, pauseMs, startMs };
        }),
      );
      const kept = (which: number) =>
        all.filter((_, index) => !lost.some(([lane, at]) => lane === which && at === index));
      const names = ['source', 'r-1', 'r-2'];
      const { rows, folders, gaps } = recordingTimeline(
        names.map((folder, lane) => ({ folder, segments: kept(lane).toReversed() })),
      );
      expect(rows.map(({ source: { msn } }) => msn)).toEqual(kept(0).map(({ msn }) => msn));
      rows.slice(1).forEach((row, index) => {
        const before = rows[index];
        if (!before || row.discontinuity) return;
        for (const folder of folders)
          expect(continues(cellOf(before, folder), cellOf(row, folder))).toBe(true);
      });
      for (const row of rows) {
        for (const folder of folders) {
          expect(cellOf(row, folder).startMs).toBe(row.source.startMs);
          expect(cellOf(row, folder).period).toBe(row.source.period);
        }
      }
      for (const { from, to } of gaps) expect(to).toBeGreaterThan(from);
    }),
  );
});
