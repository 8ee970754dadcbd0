import { expect, test } from 'vitest';
import type { RecordedSegment } from '../sessions/recorded-segment';
import { createDvrPlaylist } from './dvr-playlist';

const createPlaylist = (text: string, recordedSegments: readonly RecordedSegment[], windowSeconds = 14_400) =>
  createDvrPlaylist(text, recordedSegments, windowSeconds);

const startWallClockMs = Date.UTC(2030, 0, 1);
/** @param period number of the publish, and counter of its configurations (`7-1`; `7` for the first one) */
const createSegment = (msn: number, period = '7-1', independent = true): RecordedSegment => ({
  period,
  msn,
  startMs: msn * 2_000,
  durationMs: 2_000,
  wallClockMs: startWallClockMs + msn * 2_000,
  independent,
});

const livePlaylist = (msn: number, discontinuity = 3) => `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-MEDIA-SEQUENCE:${msn}
#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuity}
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="init-7-1.mp4"
#EXT-X-PROGRAM-DATE-TIME:${new Date(startWallClockMs + msn * 2_000).toISOString()}
#EXTINF:2.000,
${msn}.m4s
`;

const segmentUrisOf = (playlist: string) => playlist.split('\n').filter((line) => /^\d+\.m4s$/.test(line));
const mediaSequenceOf = (playlist: string) => /#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(playlist)?.[1];
const discontinuitySequenceOf = (playlist: string) =>
  /#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)/.exec(playlist)?.[1];

test('stored segments precede the live window', () => {
  expect(
    createPlaylist(livePlaylist(12), [
      createSegment(10),
      createSegment(11),
      createSegment(12),
      createSegment(13),
    ]),
  ).toBe(`#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-MEDIA-SEQUENCE:10
#EXT-X-DISCONTINUITY-SEQUENCE:3
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="init-7-1.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:20.000Z
#EXTINF:2.000,
10.m4s
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:22.000Z
#EXTINF:2.000,
11.m4s
#EXT-X-MAP:URI="init-7-1.mp4"
#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:24.000Z
#EXTINF:2.000,
12.m4s
`);
});

test('when the live window slides, stored segments keep their sequence numbers', () => {
  const recordedSegments = [
    createSegment(9, '5'),
    createSegment(10, '6'),
    createSegment(11),
    createSegment(12),
  ];
  const [first, later] = [
    createPlaylist(livePlaylist(12), recordedSegments),
    createPlaylist(livePlaylist(13), recordedSegments),
  ];
  expect([mediaSequenceOf(first), discontinuitySequenceOf(first)]).toEqual(['9', '1']);
  expect([mediaSequenceOf(later), discontinuitySequenceOf(later)]).toEqual(['9', '1']);
  expect(segmentUrisOf(later)).toEqual(['9.m4s', '10.m4s', '11.m4s', '12.m4s', '13.m4s']);
  expect(first.match(/^#EXT-X-DISCONTINUITY$/gm)).toHaveLength(2);
});

test('a discontinuity tag separates stored segments of an earlier period from the live window', () => {
  const text = createPlaylist(livePlaylist(12), [createSegment(11, '6')]);
  expect(discontinuitySequenceOf(text)).toBe('2');
  expect(text).toContain('11.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init-7-1.mp4"');
});

test.each([
  ['without stored segments', [], ['12.m4s']],
  ['the segment before the window is not stored yet', [createSegment(9), createSegment(10)], ['12.m4s']],
  [
    'segments before a missing one are left out',
    [createSegment(8), createSegment(9), createSegment(11)],
    ['11.m4s', '12.m4s'],
  ],
])('the playlist lists a gapless sequence up to the live window: %s', (_, recordedSegments, expected) => {
  expect(segmentUrisOf(createPlaylist(livePlaylist(12), recordedSegments))).toEqual(expected);
});

test.each([
  [14_400, 7_199],
  [60, 29],
  [3, 0],
  [1, 0],
])(
  'a DVR window of %d s has %d stored segments of 2 s before the live window of 2 s',
  (windowSeconds, count) => {
    const recordedSegments = Array.from({ length: 9_000 }, (_, msn) => createSegment(msn));
    expect(mediaSequenceOf(createPlaylist(livePlaylist(9_000), recordedSegments, windowSeconds))).toBe(
      String(9_000 - count),
    );
  },
);

test('EXT-X-INDEPENDENT-SEGMENTS is removed if a stored segment is not independent', () => {
  expect(createPlaylist(livePlaylist(12), [createSegment(11, '7-1', false)])).not.toContain('INDEPENDENT');
});

test('a playlist without segments is unchanged', () => {
  const playlistWithoutSegments = '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:4\n';
  expect(createPlaylist(playlistWithoutSegments, [createSegment(3)])).toBe(playlistWithoutSegments);
});
