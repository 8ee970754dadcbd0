import { parse } from 'hls-parser';
import { describe, expect, it } from 'vitest';
import {
  type PlaylistSegment,
  type PlaylistWindow,
  formatMediaPlaylist,
  createRenditionReport,
} from './playlist';

const START_WALL_CLOCK_MS = Date.UTC(2030, 0, 1);

const createSegment = (msn: number, change: Partial<PlaylistSegment> = {}): PlaylistSegment => ({
  msn,
  durationMs: 2000,
  init: 'init-1.mp4',
  wallClockMs: START_WALL_CLOCK_MS + (msn - 10) * 2000,
  discontinuity: 1,
  independent: true,
  parts: [0, 1, 2, 3].map((part) => ({ durationMs: 500, independent: part === 0 })),
  ...change,
});

const createWindow = (change: Partial<PlaylistWindow> = {}): PlaylistWindow => ({
  targetDuration: 2,
  segments: [10, 11, 12, 13, 14, 15].map((msn) => createSegment(msn)),
  open: undefined,
  nextMsn: 16,
  nextDiscontinuity: 1,
  partTargetMs: 550,
  ended: false,
  ...change,
});

const formatPlain = (change?: Partial<PlaylistWindow>) =>
  formatMediaPlaylist(createWindow(change), { lowLatency: false });
const formatLowLatency = (change?: Partial<PlaylistWindow>) =>
  formatMediaPlaylist(createWindow(change), { lowLatency: true });
const linesStartingWith = (text: string, start: string) =>
  text.split('\n').filter((line) => line.startsWith(start));

describe('plain media playlist', () => {
  it('lists each segment with its time and duration, and a changed init segment after a discontinuity', () => {
    const segments = [
      createSegment(10),
      createSegment(11, {
        init: 'init-2.mp4',
        discontinuity: 2,
        durationMs: 1966.6667,
        wallClockMs: START_WALL_CLOCK_MS + 5000,
      }),
    ];
    expect(formatPlain({ segments })).toBe(
      [
        '#EXTM3U',
        '#EXT-X-VERSION:7',
        '#EXT-X-TARGETDURATION:2',
        '#EXT-X-MEDIA-SEQUENCE:10',
        '#EXT-X-DISCONTINUITY-SEQUENCE:1',
        '#EXT-X-INDEPENDENT-SEGMENTS',
        '#EXT-X-MAP:URI="init-1.mp4"',
        '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:00.000Z',
        '#EXTINF:2.000,',
        '10.m4s',
        '#EXT-X-DISCONTINUITY',
        '#EXT-X-MAP:URI="init-2.mp4"',
        '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:05.000Z',
        '#EXTINF:1.967,',
        '11.m4s',
        '',
      ].join('\n'),
    );
  });

  it('has no parts and no open segment', () => {
    const text = formatPlain({ open: createSegment(16) });
    for (const tag of ['#EXT-X-PART', '#EXT-X-PRELOAD', '#EXT-X-SERVER', '16.m4s'])
      expect(text).not.toContain(tag);
  });

  it('declares independent segments only if all listed segments are independent', () => {
    const segments = [createSegment(10), createSegment(11, { independent: false })];
    expect(formatPlain({ segments })).not.toContain('INDEPENDENT-SEGMENTS');
    const openSegment = createSegment(16, { independent: false });
    expect(formatPlain({ open: openSegment })).toContain('INDEPENDENT-SEGMENTS');
    expect(formatLowLatency({ open: openSegment })).not.toContain('INDEPENDENT-SEGMENTS');
  });

  it('has no discontinuity tag before the first segment, because EXT-X-DISCONTINUITY-SEQUENCE counts it', () => {
    const segments = [createSegment(12, { init: 'init-3.mp4', discontinuity: 3 }), createSegment(13, { init: 'init-3.mp4', discontinuity: 3 })]; // prettier-ignore
    const text = formatPlain({ segments });
    expect(text).toContain('#EXT-X-DISCONTINUITY-SEQUENCE:3\n');
    expect(text).not.toContain('#EXT-X-DISCONTINUITY\n');
    expect(linesStartingWith(text, '#EXT-X-MAP')).toHaveLength(1);
  });

  it('has an end tag when ended', () => {
    expect(formatPlain({ ended: true })).toMatch(/#EXT-X-ENDLIST\n$/);
    expect(formatPlain()).not.toContain('ENDLIST');
  });

  it('has the number of the next segment while no segment is listed', () => {
    const text = formatPlain({ segments: [], nextDiscontinuity: 4 });
    expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:16\n#EXT-X-DISCONTINUITY-SEQUENCE:4\n');
  });
});

describe('low-latency media playlist', () => {
  const openSegment = createSegment(16, {
    durationMs: 1000,
    parts: [
      { durationMs: 500, independent: true },
      { durationMs: 500, independent: false },
    ],
  });

  it('ends with the parts of the open segment and a preload hint', () => {
    expect(formatLowLatency({ open: openSegment }).split('\n').slice(-5)).toEqual([
      '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:12.000Z',
      '#EXT-X-PART:DURATION=0.500,URI="16.0.m4s",INDEPENDENT=YES',
      '#EXT-X-PART:DURATION=0.500,URI="16.1.m4s"',
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="16.2.m4s"',
      '',
    ]);
  });

  it('has a preload hint for the next segment while no segment is open, and none after the end', () => {
    expect(formatLowLatency()).toMatch(/#EXT-X-PRELOAD-HINT:TYPE=PART,URI="16.0.m4s"\n$/);
    expect(formatLowLatency({ ended: true })).not.toContain('PRELOAD-HINT');
  });

  it('has EXT-X-SERVER-CONTROL and the part target', () => {
    expect(formatLowLatency({ open: openSegment }).split('\n').slice(1, 5)).toEqual([
      '#EXT-X-VERSION:9',
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.650,HOLD-BACK=6.000',
      '#EXT-X-PART-INF:PART-TARGET=0.550',
    ]);
  });

  it('raises the part target while a part lengthened by a pause is listed', () => {
    const long = { ...openSegment, durationMs: 5000.4, parts: [{ durationMs: 5000.4, independent: true }] };
    expect(formatLowLatency({ open: long })).toContain('PART-TARGET=5.001');
    // Segment 10 is older than three target durations, so its parts are not listed.
    expect(formatLowLatency({ segments: [createSegment(10, { ...long, msn: 10 }), ...createWindow().segments.slice(1)], open: openSegment })).toContain('PART-TARGET=0.550'); // prettier-ignore
  });

  it('lists only parts of the last three target durations', () => {
    const withParts = new Set(
      linesStartingWith(formatLowLatency({ open: openSegment }), '#EXT-X-PART:').map(
        (line) => /URI="(\d+)/.exec(line)?.[1],
      ),
    );
    // Three target durations are 6 s. Segment 16 lasts 1 s so far and the others 2 s, so segment 14 still fits.
    expect([...withParts]).toEqual(['14', '15', '16']);
  });

  it('starts a new publish in the open segment with a discontinuity and an init segment', () => {
    const text = formatLowLatency({ open: { ...openSegment, init: 'init-2.mp4', discontinuity: 2 } });
    expect(text).toContain('15.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init-2.mp4"\n');
  });

  describe('before the first segment is complete', () => {
    const formatWithoutSegments = () => formatLowLatency({ segments: [], open: openSegment, nextMsn: 17 });

    it('starts with a short gap, followed by the first part', () => {
      expect(formatWithoutSegments()).toBe(
        [
          '#EXTM3U',
          '#EXT-X-VERSION:9',
          '#EXT-X-TARGETDURATION:2',
          '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.650,HOLD-BACK=6.000',
          '#EXT-X-PART-INF:PART-TARGET=0.550',
          '#EXT-X-MEDIA-SEQUENCE:15',
          '#EXT-X-DISCONTINUITY-SEQUENCE:1',
          '#EXT-X-INDEPENDENT-SEGMENTS',
          '#EXT-X-START:TIME-OFFSET=0.100',
          '#EXT-X-MAP:URI="init-1.mp4"',
          '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:11.900Z',
          '#EXT-X-PART:DURATION=0.100,URI="15.0.m4s",GAP=YES',
          '#EXT-X-GAP',
          '#EXTINF:0.100,',
          '15.m4s',
          '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:12.000Z',
          '#EXT-X-PART:DURATION=0.500,URI="16.0.m4s",INDEPENDENT=YES',
          '#EXT-X-PART:DURATION=0.500,URI="16.1.m4s"',
          '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="16.2.m4s"',
          '',
        ].join('\n'),
      );
    });

    it('can be parsed by hls-parser', () => {
      const playlist = parse(formatWithoutSegments());
      if (playlist.isMasterPlaylist) throw new Error('a media playlist was expected');
      expect(playlist.segments.map(({ mediaSequenceNumber, gap = false }) => [mediaSequenceNumber, gap])[0]).toEqual([15, true]); // prettier-ignore
      expect(playlist.segments[1]?.parts.map(({ uri, hint }) => (hint ? 'hint' : uri))).toEqual([
        '16.0.m4s',
        '16.1.m4s',
        'hint',
      ]);
    });

    it('has the last part of the open segment as the newest part in rendition reports', () => {
      const playlistWindow = createWindow({ segments: [], open: openSegment, nextMsn: 17 });
      expect(createRenditionReport('../low/index.m3u8', playlistWindow)).toMatchObject({
        lastMsn: 16,
        lastPart: 1,
      });
    });

    it('has no gap anymore when the first segment is complete, and the media sequence number rises by one', () => {
      const text = formatLowLatency({ segments: [createSegment(16)], nextMsn: 17 });
      expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:16\n');
      expect(text).not.toMatch(/GAP|EXT-X-START/);
    });

    it('lists no segment for players without low latency', () => {
      expect(linesStartingWith(formatPlain({ segments: [], open: openSegment }), '#EXTINF')).toEqual([]);
    });
  });
});
