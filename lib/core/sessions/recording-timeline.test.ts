import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { RecordedSegment } from './recorded-segment';
import {
  type RecordedRendition,
  playedSegment,
  isContinuous,
  formatRecordingPlaylist,
  createRecordingTimeline,
} from './recording-timeline';

const startWallClockMs = Date.UTC(2030, 0, 1);
/** The segment at an index of the recording. Wall-clock times are further apart than the media, as after interruptions. */
const createSegment = (period: string, msn: number, index: number, independent = true): RecordedSegment => ({
  period,
  msn,
  startMs: index * 2_000,
  durationMs: 2_000.011,
  wallClockMs: startWallClockMs + index * 10_000,
  independent,
});

test('a recording of two publishes has one playlist with a discontinuity between them', () => {
  const timeline = createRecordingTimeline([
    {
      folder: 'source',
      segments: [createSegment('1', 5, 0), createSegment('2', 6, 1), createSegment('2', 7, 2)],
    },
  ]);
  expect(formatRecordingPlaylist(timeline, 'source')).toBe(
    `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="init-1.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:00.000Z
#EXTINF:2.000011,
1_5_0_2000011_${startWallClockMs}_i.m4s
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="init-2.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:10.000Z
#EXTINF:2.000011,
2_6_2000000_2000011_${startWallClockMs + 10_000}_i.m4s
#EXTINF:2.000011,
2_7_4000000_2000011_${startWallClockMs + 20_000}_i.m4s
#EXT-X-ENDLIST
`,
  );
});

test('the playlist of a rendition references the source where a segment is missing', () => {
  const segments = [createSegment('1', 5, 0), createSegment('1', 6, 1), createSegment('1', 7, 2, false)];
  const timeline = createRecordingTimeline([
    { folder: 'source', segments },
    { folder: 'r-1', segments: segments.slice(1) },
  ]);
  const lines = formatRecordingPlaylist(timeline, 'r-1').split('\n');
  expect(lines.filter((line) => line.startsWith('#EXT-X-MAP'))).toEqual([
    '#EXT-X-MAP:URI="../source/init-1.mp4"',
    '#EXT-X-MAP:URI="init-1.mp4"',
  ]);
  expect(
    lines.filter((line) => line.endsWith('.m4s')).map((line) => line.startsWith('../source/1_')),
  ).toEqual([true, false, false]);
  expect(lines).not.toContain('#EXT-X-INDEPENDENT-SEGMENTS');
  expect(lines.filter((line) => line === '#EXT-X-DISCONTINUITY')).toHaveLength(1);
});

interface Publish {
  readonly period: string;
  readonly count: number;
  /** Pause before the publish, ms. */
  readonly pauseMs?: number;
  /** Start on the media timeline; 0 by default. */
  readonly startMs?: number;
  /** First media sequence number; by default, the one after the previous publish. */
  readonly firstMsn?: number;
}

/** Segments of 2 s each, one publish after another. */
function segmentsOf(publishes: readonly Publish[]): RecordedSegment[] {
  let wallClockMs = startWallClockMs;
  let msn = 1_000;
  return publishes.flatMap(({ period, count, pauseMs = 0, startMs = 0, firstMsn }) => {
    wallClockMs += pauseMs;
    msn = firstMsn ?? msn;
    return Array.from({ length: count }, (_, index) => {
      const segment = {
        period,
        msn,
        startMs: startMs + index * 2_000,
        durationMs: 2_000,
        wallClockMs,
        independent: true,
      };
      wallClockMs += 2_000;
      msn += 1;
      return segment;
    });
  });
}

const createSource = (segments: readonly RecordedSegment[]): RecordedRendition => ({
  folder: 'source',
  segments,
});
const createRendition = (segments: readonly RecordedSegment[], folder = 'r-1'): RecordedRendition => ({
  folder,
  segments,
});

describe('createRecordingTimeline', () => {
  test('a single publish has no discontinuity and no gap', () => {
    const { rows, gaps, folders } = createRecordingTimeline([
      createSource(segmentsOf([{ period: '1', count: 3 }])),
    ]);
    expect(rows.map(({ discontinuity }) => discontinuity)).toEqual([false, false, false]);
    expect([gaps, folders]).toEqual([[], ['source']]);
  });

  test('a reconnect makes a discontinuity, and its pause is a gap', () => {
    const sourceSegments = segmentsOf([
      { period: '1', count: 2 },
      { period: '2', count: 2, pauseMs: 7_000 },
    ]);
    const { rows, gaps } = createRecordingTimeline([createSource(sourceSegments.toReversed())]);
    expect(rows.map(({ discontinuity }) => discontinuity)).toEqual([false, false, true, false]);
    expect(gaps).toEqual([{ from: startWallClockMs + 4_000, to: startWallClockMs + 11_000 }]);
  });

  test('a segment that was not stored causes a discontinuity', () => {
    const sourceSegments = segmentsOf([{ period: '1', count: 4 }]).filter((_, index) => index !== 2);
    const { rows, gaps } = createRecordingTimeline([createSource(sourceSegments)]);
    expect(rows.map(({ discontinuity }) => discontinuity)).toEqual([false, false, true]);
    expect(gaps).toEqual([{ from: startWallClockMs + 4_000, to: startWallClockMs + 6_000 }]);
  });

  test('a changed configuration within a publish is a discontinuity without a gap', () => {
    const { rows, gaps } = createRecordingTimeline([
      createSource(
        segmentsOf([
          { period: '1', count: 1 },
          { period: '1-1', count: 1, startMs: 2_000 },
        ]),
      ),
    ]);
    expect([rows.map(({ discontinuity }) => discontinuity), gaps]).toEqual([[false, true], []]);
  });

  test('renditions are aligned by media time, not by sequence number', () => {
    const ownSegments = segmentsOf([{ period: '1', count: 3, firstMsn: 77 }]).map((segment) => ({
      ...segment,
      startMs: segment.startMs + 33,
    }));
    const { rows, folders } = createRecordingTimeline([
      createSource(segmentsOf([{ period: '1', count: 3 }])),
      createRendition(ownSegments),
    ]);
    expect(folders).toEqual(['source', 'r-1']);
    expect(rows.map((row) => playedSegment(row, 'r-1').msn)).toEqual([77, 78, 79]);
    expect(rows.some(({ discontinuity }) => discontinuity)).toBe(false);
  });

  test('a missing rendition segment plays the source, with the same discontinuities in all renditions', () => {
    const ownSegments = segmentsOf([{ period: '1', count: 4, firstMsn: 50 }]).filter(
      (_, index) => index !== 1,
    );
    const { rows } = createRecordingTimeline([
      createSource(segmentsOf([{ period: '1', count: 4 }])),
      createRendition(ownSegments),
    ]);
    expect(rows.map((row) => playedSegment(row, 'r-1').folder)).toEqual(['r-1', 'source', 'r-1', 'r-1']);
    expect(rows.map(({ discontinuity }) => discontinuity)).toEqual([false, true, true, false]);
  });

  test('a rendition that covers less than half of the recording is not offered', () => {
    const ownSegments = segmentsOf([{ period: '1', count: 1 }]);
    const { folders, rows } = createRecordingTimeline([
      createSource(segmentsOf([{ period: '1', count: 3 }])),
      createRendition(ownSegments),
    ]);
    expect(folders).toEqual(['source']);
    expect(rows.every(({ segmentsByFolder }) => segmentsByFolder.size === 0)).toBe(true);
  });

  test('a recording without source segments is empty', () => {
    const ownSegments = createRendition(segmentsOf([{ period: '1', count: 3 }]));
    expect(createRecordingTimeline([ownSegments])).toEqual({ rows: [], folders: ['source'], gaps: [] });
    expect(createRecordingTimeline([])).toEqual({ rows: [], folders: ['source'], gaps: [] });
  });
});

/** Publishes with any segments of any rendition lost. */
const anyRecording = fc.record({
  publishes: fc.array(
    fc.record({ count: fc.integer({ min: 1, max: 6 }), pauseMs: fc.nat(20_000), restarted: fc.boolean() }),
    { minLength: 1, maxLength: 5 },
  ),
  lost: fc.array(fc.tuple(fc.nat(2), fc.nat(30)), { maxLength: 20 }),
});

test('after any loss, each segment of the source is played once, in order, and continues the previous one or has a discontinuity', () => {
  fc.assert(
    fc.property(anyRecording, ({ publishes, lost }) => {
      let end = 0;
      const allSegments = segmentsOf(
        publishes.map(({ count, pauseMs, restarted }, index) => {
          const startMs = restarted ? 0 : end;
          end = startMs + count * 2_000;
          return { period: String(index + 8), count, pauseMs, startMs };
        }),
      );
      const keepFrom = (renditionIndex: number) =>
        allSegments.filter(
          (_, index) =>
            !lost.some(
              ([lostRendition, lostIndex]) => lostRendition === renditionIndex && lostIndex === index,
            ),
        );
      const names = ['source', 'r-1', 'r-2'];
      const { rows, folders, gaps } = createRecordingTimeline(
        names.map((folder, renditionIndex) => ({
          folder,
          segments: keepFrom(renditionIndex).toReversed(),
        })),
      );
      expect(rows.map(({ source: { msn } }) => msn)).toEqual(keepFrom(0).map(({ msn }) => msn));
      rows.slice(1).forEach((row, index) => {
        const previousRow = rows[index];
        if (!previousRow || row.discontinuity) return;
        for (const folder of folders)
          expect(isContinuous(playedSegment(previousRow, folder), playedSegment(row, folder))).toBe(true);
      });
      for (const row of rows) {
        for (const folder of folders) {
          expect(playedSegment(row, folder).startMs).toBe(row.source.startMs);
          expect(playedSegment(row, folder).period).toBe(row.source.period);
        }
      }
      for (const { from, to } of gaps) expect(to).toBeGreaterThan(from);
    }),
  );
});
