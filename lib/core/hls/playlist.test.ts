import { parse } from 'hls-parser';
import { describe, expect, it } from 'vitest';
import { type PlaylistSegment, type PlaylistView, mediaPlaylist, reportOf } from './playlist';

const WALL = Date.UTC(2030, 0, 1);

const segment = (msn: number, change: Partial<PlaylistSegment> = {}): PlaylistSegment => ({
  msn,
  durationMs: 2000,
  init: 'init-1.mp4',
  wallMs: WALL + (msn - 10) * 2000,
  discontinuity: 1,
  independent: true,
  parts: [0, 1, 2, 3].map((part) => ({ durationMs: 500, independent: part === 0 })),
  ...change,
});

const view = (change: Partial<PlaylistView> = {}): PlaylistView => ({
  targetDuration: 2,
  segments: [10, 11, 12, 13, 14, 15].map((msn) => segment(msn)),
  open: undefined,
  nextMsn: 16,
  nextDiscontinuity: 1,
  partTargetMs: 550,
  ended: false,
  ...change,
});

const plain = (change?: Partial<PlaylistView>) => mediaPlaylist(view(change), { lowLatency: false });
const low = (change?: Partial<PlaylistView>) => mediaPlaylist(view(change), { lowLatency: true });
const lines = (text: string, start: string) => text.split('\n').filter((line) => line.startsWith(start));

describe('plain media playlist', () => {
  it('is this', () => {
    const segments = [
      segment(10),
      segment(11, { init: 'init-2.mp4', discontinuity: 2, durationMs: 1966.6667, wallMs: WALL + 5000 }),
    ];
    expect(plain({ segments })).toBe(
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

  it('shows nothing of parts and of the open segment', () => {
    const text = plain({ open: segment(16) });
    for (const tag of ['#EXT-X-PART', '#EXT-X-PRELOAD', '#EXT-X-SERVER', '16.m4s'])
      expect(text).not.toContain(tag);
  });

  it('claims independent segments only while it is true of all that is listed', () => {
    const segments = [segment(10), segment(11, { independent: false })];
    expect(plain({ segments })).not.toContain('INDEPENDENT-SEGMENTS');
    const open = segment(16, { independent: false });
    expect(plain({ open })).toContain('INDEPENDENT-SEGMENTS');
    expect(low({ open })).not.toContain('INDEPENDENT-SEGMENTS');
  });

  it('does not repeat the break in front of the first segment: its sequence tells it', () => {
    const segments = [segment(12, { init: 'init-3.mp4', discontinuity: 3 }), segment(13, { init: 'init-3.mp4', discontinuity: 3 })]; // prettier-ignore
    const text = plain({ segments });
    expect(text).toContain('#EXT-X-DISCONTINUITY-SEQUENCE:3\n');
    expect(text).not.toContain('#EXT-X-DISCONTINUITY\n');
    expect(lines(text, '#EXT-X-MAP')).toHaveLength(1);
  });

  it('ends', () => {
    expect(plain({ ended: true })).toMatch(/#EXT-X-ENDLIST\n$/);
    expect(plain()).not.toContain('ENDLIST');
  });

  it('names what comes next while nothing is listed', () => {
    const text = plain({ segments: [], nextDiscontinuity: 4 });
    expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:16\n#EXT-X-DISCONTINUITY-SEQUENCE:4\n');
  });
});

describe('low-latency media playlist', () => {
  const open = segment(16, {
    durationMs: 1000,
    parts: [
      { durationMs: 500, independent: true },
      { durationMs: 500, independent: false },
    ],
  });

  it('ends with the parts of the open segment and a hint at the next', () => {
    expect(low({ open }).split('\n').slice(-5)).toEqual([
      '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:12.000Z',
      '#EXT-X-PART:DURATION=0.500,URI="16.0.m4s",INDEPENDENT=YES',
      '#EXT-X-PART:DURATION=0.500,URI="16.1.m4s"',
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="16.2.m4s"',
      '',
    ]);
  });

  it('hints at the first part of the next segment between two segments, and at nothing after the end', () => {
    expect(low()).toMatch(/#EXT-X-PRELOAD-HINT:TYPE=PART,URI="16.0.m4s"\n$/);
    expect(low({ ended: true })).not.toContain('PRELOAD-HINT');
  });

  it('tells the server control and the part target', () => {
    expect(low({ open }).split('\n').slice(1, 5)).toEqual([
      '#EXT-X-VERSION:9',
      '#EXT-X-TARGETDURATION:2',
      '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12.000,PART-HOLD-BACK=1.650,HOLD-BACK=6.000',
      '#EXT-X-PART-INF:PART-TARGET=0.550',
    ]);
  });

  it('keeps its promise for a part that a pause made long, while it is listed', () => {
    const long = { ...open, durationMs: 5000.4, parts: [{ durationMs: 5000.4, independent: true }] };
    expect(low({ open: long })).toContain('PART-TARGET=5.001');
    expect(low({ segments: [segment(10, { ...long, msn: 10 }), ...view().segments.slice(1)], open })).toContain('PART-TARGET=0.550'); // prettier-ignore
  });

  it('lists parts of the last three target durations only', () => {
    const withParts = new Set(
      lines(low({ open }), '#EXT-X-PART:').map((line) => /URI="(\d+)/.exec(line)?.[1]),
    );
    expect([...withParts]).toEqual(['14', '15', '16']);
  });

  it('starts a new run in the open segment with its break and its init segment', () => {
    const text = low({ open: { ...open, init: 'init-2.mp4', discontinuity: 2 } });
    expect(text).toContain('15.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init-2.mp4"\n');
  });

  it('leaves out, when asked, what begins before the skip boundary and nothing else', () => {
    const delta = (change: Partial<PlaylistView>) =>
      mediaPlaylist(view(change), { lowLatency: true, delta: true });
    expect(delta({})).toBe(low());
    const segments = [7, 8, 9, ...view().segments.map(({ msn }) => msn)].map((msn) => segment(msn));
    const [full, text] = [low({ segments, open }), delta({ segments, open })];
    const [head, tail = ''] = text.split('#EXT-X-SKIP:SKIPPED-SEGMENTS=4\n');
    expect(full.startsWith(head ?? 'nothing')).toBe(true);
    expect(full.endsWith(tail)).toBe(true);
    expect(lines(tail, '#EXTINF')).toHaveLength(5);
    expect(text).not.toContain('EXT-X-MAP');
  });

  it('names the init segment of the first segment that is not left out when it is another one', () => {
    const segments = [8, 9, ...view().segments.map(({ msn }) => msn)].map((msn) =>
      segment(msn, msn < 11 ? {} : { init: 'init-2.mp4', discontinuity: 2 }),
    );
    const text = mediaPlaylist(view({ segments, open }), { lowLatency: true, delta: true });
    expect(text).toContain('SKIPPED-SEGMENTS=3\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init-2.mp4"\n');
  });

  describe('before the first segment is whole', () => {
    const first = () => low({ segments: [], open, nextMsn: 17 });

    it('is this: players begin behind a gap of a moment, with the first part', () => {
      expect(first()).toBe(
        [
          '#EXTM3U',
          '#EXT-X-VERSION:9',
          '#EXT-X-TARGETDURATION:2',
          '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12.000,PART-HOLD-BACK=1.650,HOLD-BACK=6.000',
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

    it('can be read by another reader', () => {
      const playlist = parse(first());
      if (playlist.isMasterPlaylist) throw new Error('a media playlist was expected');
      expect(playlist.segments.map(({ mediaSequenceNumber, gap = false }) => [mediaSequenceNumber, gap])[0]).toEqual([15, true]); // prettier-ignore
      expect(playlist.segments[1]?.parts.map(({ uri, hint }) => (hint ? 'hint' : uri))).toEqual([
        '16.0.m4s',
        '16.1.m4s',
        'hint',
      ]);
    });

    it('leaves out nothing when asked for what is new, and names the same numbers to other renditions', () => {
      const before = view({ segments: [], open, nextMsn: 17 });
      expect(mediaPlaylist(before, { lowLatency: true, delta: true })).toBe(first());
      expect(reportOf('../low/index.m3u8', before)).toMatchObject({ lastMsn: 16, lastPart: 1 });
    });

    it('loses the gap with the first whole segment, whose number moves up by one', () => {
      const text = low({ segments: [segment(16)], nextMsn: 17 });
      expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:16\n');
      expect(text).not.toMatch(/GAP|EXT-X-START/);
    });

    it('is empty for those who play whole segments only', () => {
      expect(lines(plain({ segments: [], open }), '#EXTINF')).toEqual([]);
    });
  });
});
