import { expect, test } from 'vitest';
import { recordingPlaylist } from './playlist-recording';
import type { RecordedSegment } from './recorded-segment';
import { recordingTimeline } from './recording-timeline';

const wall = Date.UTC(2030, 0, 1);
const at = (period: string, msn: number, index: number, independent = true): RecordedSegment => ({
  period,
  msn,
  startMs: index * 2_000,
  durationMs: 2_000.011,
  wallMs: wall + index * 10_000,
  independent,
});

test('two publishes in one playlist', () => {
  const timeline = recordingTimeline([
    { folder: 'source', segments: [at('1', 5, 0), at('2', 6, 1), at('2', 7, 2)] },
  ]);
  expect(recordingPlaylist(timeline, 'source')).toBe(
    `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="init-1.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:00.000Z
#EXTINF:2.000011,
1_5_0_2000011_${wall}_i.m4s
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="init-2.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:10.000Z
#EXTINF:2.000011,
2_6_2000000_2000011_${wall + 10_000}_i.m4s
#EXTINF:2.000011,
2_7_4000000_2000011_${wall + 20_000}_i.m4s
#EXT-X-ENDLIST
`,
  );
});

test('a rendition leads to the source where it has nothing of its own', () => {
  const segments = [at('1', 5, 0), at('1', 6, 1), at('1', 7, 2, false)];
  const timeline = recordingTimeline([
    { folder: 'source', segments },
    { folder: 'r-1', segments: segments.slice(1) },
  ]);
  const lines = recordingPlaylist(timeline, 'r-1').split('\n');
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
