import { parse } from 'hls-parser';
import { describe, expect, it } from 'vitest';
import { formatMediaPlaylist } from '@/lib/core/hls/playlist';
import { parseAacConfig, parseAvcConfig } from '@/media-worker/media/cmaf/codec-config';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import type { InitEvent, MediaEvent } from './packager-events';
import { Packaging, SteppedClock, TEST_EPOCH } from './testing/packaging';
import { LiveWindow, type WindowOptions } from './window';

const tracks = {
  video: parseAvcConfig(CONFIG_RECORDS.high320),
  audio: parseAacConfig(CONFIG_RECORDS.aacStereo48),
};

function openWindow(options: Omit<WindowOptions, 'clock'> = {}) {
  const clock = new SteppedClock();
  const window = new LiveWindow({ clock, ...options });
  window.startPublish(5);
  return { clock, window };
}

const initEvent = (startMs = 0, wallClockMs = TEST_EPOCH + startMs): InitEvent => ({
  type: 'init',
  data: Buffer.from(`init at ${startMs}`),
  tracks,
  startMs,
  wallClockMs,
});

/** The events of one segment with four parts. */
function segmentEvents(
  startMs: number,
  options: { durationMs?: number; independent?: boolean; bytes?: number } = {},
) {
  const { durationMs = 2000, independent = true, bytes = 1000 } = options;
  const events: MediaEvent[] = [];
  for (let part = 0; part < 4; part++) {
    const start = startMs + (part * durationMs) / 4;
    const data = [Buffer.alloc(bytes / 4, part)];
    const length = durationMs / 4;
    events.push({ type: 'part', data, bytes: bytes / 4, startMs: start, durationMs: length, independent: independent && part === 0, videoFrames: 15, endMs: start + length }); // prettier-ignore
  }
  events.push({ type: 'segment', startMs, durationMs, independent });
  return events;
}

/** The first media sequence number of a window at the time of the test clock. */
const FIRST_MSN = Math.floor(TEST_EPOCH / 1000);

describe('numbers and names', () => {
  it('media sequence numbers begin at the wall clock and continue across publishes', () => {
    const { window } = openWindow();
    for (const event of [initEvent(), ...segmentEvents(0), ...segmentEvents(2000)]) window.apply(event);
    window.startPublish(6);
    for (const event of [initEvent(4000), ...segmentEvents(4000)]) window.apply(event);
    const { segments } = window.view();
    expect(
      segments.map(({ msn, init: name, discontinuity }) => [msn - FIRST_MSN, name, discontinuity]),
    ).toEqual([
      [0, 'init-5.mp4', 5],
      [1, 'init-5.mp4', 5],
      [2, 'init-6.mp4', 6],
    ]);
    expect(window.mediaEndMs).toBe(6000);
  });

  it('init segments of one publish are numbered', () => {
    const { window } = openWindow();
    for (let n = 0; n < 3; n++)
      for (const event of [initEvent(n * 2000), ...segmentEvents(n * 2000)]) window.apply(event);
    expect(window.view().segments.map((segment) => segment.init)).toEqual([
      'init-5.mp4',
      'init-5-1.mp4',
      'init-5-2.mp4',
    ]);
    expect(window.findInit('init-5-1.mp4')?.toString()).toBe('init at 2000');
  });

  it('parts of closed and open segments are served, and unknown ones are undefined', () => {
    const { window } = openWindow();
    const [first, ...otherEvents] = segmentEvents(2000);
    if (!first) throw new Error('a segment has parts');
    for (const event of [initEvent(), ...segmentEvents(0), first]) window.apply(event);
    expect(window.findPart(FIRST_MSN, 3)?.data[0]?.[0]).toBe(3);
    expect(window.findPart(FIRST_MSN + 1, 0)?.data[0]?.[0]).toBe(0);
    expect(window.findPart(FIRST_MSN + 1, 1)).toBeUndefined();
    expect(window.findSegment(FIRST_MSN + 1)).toBeUndefined();
    for (const event of otherEvents) window.apply(event);
    expect(window.findSegment(FIRST_MSN + 1)?.parts).toHaveLength(4);
    expect(window.findPart(FIRST_MSN - 1, 0)).toBeUndefined();
  });
});

describe('the segments in memory', () => {
  it('are the six listed ones and three older ones; init segments are removed with their last segment', () => {
    const { window } = openWindow();
    for (let n = 0; n < 5; n++)
      for (const event of [...(n === 0 ? [initEvent()] : []), ...segmentEvents(n * 2000)])
        window.apply(event);
    window.startPublish(6);
    for (let n = 5; n < 14; n++)
      for (const event of [...(n === 5 ? [initEvent(10_000)] : []), ...segmentEvents(n * 2000)])
        window.apply(event);
    expect(window.view().segments.map(({ msn }) => msn - FIRST_MSN)).toEqual([8, 9, 10, 11, 12, 13]);
    expect(window.findSegment(FIRST_MSN + 5)).toBeDefined();
    expect(window.findSegment(FIRST_MSN + 4)).toBeUndefined();
    expect(window.findInit('init-5.mp4')).toBeUndefined();
    expect(window.findInit('init-6.mp4')).toBeDefined();
  });

  it('keep their discontinuity number as long as they are listed', () => {
    const { window } = openWindow();
    /** Discontinuity number of each segment by its media sequence number, from the first playlist that listed it. */
    const sequences = new Map<number, number>();
    let [lastSequence, lastMsn] = [0, 0];
    for (let n = 0; n < 400; n++) {
      // Publishes of irregular length: some have a single segment, some several init segments.
      if (n % 17 === 0 && n > 0) window.startPublish(5 + n);
      if (n % 17 === 0 || n % 17 === 16 || n % 29 === 0) window.apply(initEvent(n * 2000));
      for (const event of segmentEvents(n * 2000)) window.apply(event);
      const playlist = parse(formatMediaPlaylist(window.view(), { lowLatency: false }));
      if (playlist.isMasterPlaylist) throw new Error('a media playlist was expected');
      let sequence = playlist.discontinuitySequenceBase ?? 0;
      const first = playlist.mediaSequenceBase ?? 0;
      expect(sequence).toBeGreaterThanOrEqual(lastSequence);
      expect(first).toBeGreaterThanOrEqual(lastMsn);
      [lastSequence, lastMsn] = [sequence, first];
      playlist.segments.forEach((segment, index) => {
        if (segment.discontinuity) sequence++;
        const expectedSequence = sequences.get(first + index) ?? sequence;
        sequences.set(first + index, expectedSequence);
        expect(sequence).toBe(expectedSequence);
      });
    }
    expect(sequences.size).toBe(400);
    expect(lastSequence).toBeGreaterThan(50);
  });

  it('are removed early if they are large, except the newest', () => {
    const { window } = openWindow({ maxBytes: 10_000 });
    window.apply(initEvent());
    for (let n = 0; n < 6; n++)
      for (const event of segmentEvents(n * 2000, { bytes: 4000 })) window.apply(event);
    expect(window.view().segments).toHaveLength(2);
    for (const event of segmentEvents(12_000, { bytes: 40_000 })) window.apply(event);
    expect(window.view().segments).toHaveLength(1);
  });

  it('fit a target duration that only a longer segment increases, and a maximum 400 ms above it', () => {
    const { window } = openWindow();
    window.apply(initEvent());
    const durations = [2000, 2499, 2500, 8400, 2000, 2000, 2000, 2000, 2000, 2000, 2000];
    expect(window.maxSegmentMs).toBe(Infinity);
    const targets = durations.map((durationMs, n) => {
      for (const event of segmentEvents(n * 10_000, { durationMs })) window.apply(event);
      return [window.view().targetDuration, window.maxSegmentMs];
    });
    const [target2, target3, target8] = [
      [2, 2400],
      [3, 3400],
      [8, 8400],
    ];
    expect(targets).toEqual([target2, target2, target3, ...Array.from({ length: 8 }, () => target8)]);
  });

  it('cover the hold-back of players, also when they are shorter than the first one', () => {
    const { window } = openWindow();
    window.apply(initEvent());
    for (const event of segmentEvents(0, { durationMs: 10_000 })) window.apply(event);
    for (let n = 0; n < 40; n++) for (const event of segmentEvents(10_000 + n * 2_000)) window.apply(event);
    const text = formatMediaPlaylist(window.view(), { lowLatency: true });
    const holdBack = Number(/[ ,]HOLD-BACK=([\d.]+)/.exec(text)?.[1]);
    const listedSeconds = [...text.matchAll(/#EXTINF:([\d.]+)/g)].reduce(
      (sum, [, seconds]) => sum + Number(seconds),
      0,
    );
    expect(holdBack).toBe(30);
    expect(listedSeconds).toBe(30);
  });
});

describe('video that starts after audio alone', () => {
  const audio = { video: undefined, audio: tracks.audio };

  it('ends the playlist, which restarts with the first segment that has video', () => {
    const { window } = openWindow();
    const calls: string[] = [];
    window.observe({ onEnd: () => calls.push('end') });
    for (const event of [{ ...initEvent(), tracks: audio }, ...segmentEvents(0), ...segmentEvents(2_000)])
      window.apply(event);
    window.apply(initEvent(4_000));
    const [, , ...otherEvents] = segmentEvents(4_000);
    for (const event of segmentEvents(4_000).slice(0, 2)) window.apply(event);
    const endedView = window.view();
    expect([calls, endedView.ended, endedView.open]).toEqual([['end'], true, undefined]);
    expect(endedView.segments.map(({ msn }) => msn - FIRST_MSN)).toEqual([0, 1]);
    for (const event of otherEvents) window.apply(event);
    const { ended: isEnded, segments } = window.view();
    expect([isEnded, segments.map(({ msn }) => msn - FIRST_MSN)]).toEqual([false, [2]]);
  });

  it('does not end the playlist if video was there from the start', () => {
    const { window } = openWindow();
    for (const event of [initEvent(), ...segmentEvents(0), initEvent(2_000), ...segmentEvents(2_000)])
      window.apply(event);
    expect([window.view().ended, window.view().segments.length]).toEqual([false, 2]);
  });
});

describe('wall-clock times', () => {
  it('come from the wall clock of the first frame and the media time', () => {
    const { window } = openWindow();
    const events = [initEvent(50_000, TEST_EPOCH + 7), ...segmentEvents(50_000), ...segmentEvents(52_000)];
    for (const event of events) window.apply(event);
    expect(window.view().segments.map(({ wallClockMs }) => wallClockMs - TEST_EPOCH)).toEqual([7, 2007]);
  });

  it('do not go back when the clock was set back between two publishes', () => {
    const { window } = openWindow();
    for (const event of [initEvent(0, TEST_EPOCH), ...segmentEvents(0)]) window.apply(event);
    window.startPublish(6);
    for (const event of [initEvent(2000, TEST_EPOCH - 60_000), ...segmentEvents(2000)]) window.apply(event);
    expect(window.view().segments.map(({ wallClockMs }) => wallClockMs - TEST_EPOCH)).toEqual([0, 2000]);
  });
});

describe('observers', () => {
  it('are called after parts and segments are readable, until they unsubscribe', () => {
    const { window } = openWindow();
    const receivedEvents: string[] = [];
    const stop = window.observe({
      onPart: ({ msn }, part) =>
        receivedEvents.push(`${msn - FIRST_MSN}.${part} ${window.findPart(msn, part) !== undefined}`),
      onSegment: ({ msn }) =>
        receivedEvents.push(
          `${msn - FIRST_MSN} ${window.findSegment(msn) !== undefined} ${window.isPlayable}`,
        ),
    });
    expect(window.isPlayable).toBe(false);
    for (const event of [initEvent(), ...segmentEvents(0)]) window.apply(event);
    expect(receivedEvents).toEqual(['0.0 true', '0.1 true', '0.2 true', '0.3 true', '0 true true']);
    stop();
    for (const event of segmentEvents(2000)) window.apply(event);
    expect(receivedEvents).toHaveLength(5);
  });

  it('are called at each end of the window, which the next publish reopens', () => {
    const { window } = openWindow();
    let endCount = 0;
    window.observe({ onEnd: () => (endCount += 1) });
    window.end();
    expect([window.view().ended, endCount]).toEqual([true, 1]);
    window.startPublish(6);
    expect(window.view().ended).toBe(false);
    window.end();
    expect([window.view().ended, endCount]).toEqual([true, 2]);
  });
});

describe('facts for the master playlist', () => {
  it('exist with the first part, measured on the media so far', () => {
    const { window } = openWindow();
    window.apply(initEvent());
    expect(window.measure()).toBeUndefined();
    expect(window.isStartable).toBe(false);
    for (const event of segmentEvents(0, { bytes: 4000 }).slice(0, 1)) window.apply(event);
    expect([window.isStartable, window.isPlayable]).toEqual([true, false]);
    expect(window.measure()).toMatchObject({
      bandwidth: 16_000,
      averageBandwidth: 16_000,
      frameRate: 30_000 / 1001,
    });
  });

  it('are not sufficient: a window whose first part is not independent is not startable', () => {
    const { window } = openWindow();
    window.apply(initEvent());
    for (const event of segmentEvents(0, { independent: false }).slice(0, 1)) window.apply(event);
    expect(window.isStartable).toBe(false);
  });

  it('are the peak and average of the newest period, without its short last segment', () => {
    const { window } = openWindow();
    for (const event of [initEvent(), ...segmentEvents(0, { bytes: 80_000 })]) window.apply(event);
    window.startPublish(6);
    window.apply(initEvent(2000));
    for (const event of segmentEvents(2000, { bytes: 4000 })) window.apply(event);
    for (const event of segmentEvents(4000, { bytes: 8000 })) window.apply(event);
    for (const event of segmentEvents(6000, { bytes: 4000, durationMs: 400 })) window.apply(event);
    expect(window.measure()).toEqual({
      bandwidth: 32_000,
      averageBandwidth: 128_000_000 / 4400,
      codecs: ['avc1.64000d', 'mp4a.40.2'],
      resolution: { width: 429, height: 182 },
      // 180 frames in 4.4 s: the announced 29.97 fps is wrong.
      frameRate: 180 / 4.4,
      videoRange: 'SDR',
      independent: true,
      captions: false,
    });
  });

  it('include closed captions in the video', () => {
    const { window } = openWindow();
    // An SEI message with CEA-608 captions (ATSC A/53).
    const picture = Buffer.from('00000018060410b5003147413934034100ff', 'hex');
    window.apply(initEvent());
    for (const event of segmentEvents(0))
      window.apply(event.type === 'part' ? { ...event, data: [picture] } : event);
    expect(window.measure()).toMatchObject({ captions: true });
  });

  it('use the announced frame rate if the frames agree with it', () => {
    const { window } = openWindow();
    for (const event of [initEvent(), ...segmentEvents(0)]) window.apply(event);
    expect(window.measure()?.frameRate).toBeCloseTo(30000 / 1001);
  });
});

describe('a window that is aligned with another', () => {
  const createSource = () => {
    const { window } = openWindow({ minListedCount: 100 });
    for (const event of [
      initEvent(0, TEST_EPOCH + 7),
      ...segmentEvents(0),
      ...segmentEvents(2000),
      ...segmentEvents(4000),
    ])
      window.apply(event);
    window.startPublish(6);
    for (const event of [initEvent(6000), ...segmentEvents(6000)]) window.apply(event);
    return window;
  };
  const createFollower = () => new LiveWindow({ clock: new SteppedClock(), minListedCount: 100 });
  /** A segment at `startMs` after its own init segment. */
  const follow = (window: LiveWindow, source: LiveWindow, startMs: number, more: MediaEvent[] = []) => {
    const position = source.positionAt(startMs);
    if (!position) throw new Error(`nothing at ${startMs}`);
    window.align(position, { targetDuration: 2 });
    for (const event of [
      initEvent(startMs, startMs + position.period.wallClockOffsetMs),
      ...segmentEvents(startMs),
      ...more,
    ])
      window.apply(event);
  };
  const msns = (window: LiveWindow) => window.view().segments.map(({ msn }) => msn - FIRST_MSN);

  it('finds the segment at a media time', () => {
    const source = createSource();
    const msnAt = (ms: number) => (source.positionAt(ms)?.msn ?? NaN) - FIRST_MSN;
    expect([0, 1999, 2000, 5999, 6000, 7999, 8000, 9000].map(msnAt)).toEqual([0, 0, 1, 2, 3, 3, 4, 4]);
    expect(source.positionAt(-1)).toBeUndefined();
    expect(createFollower().positionAt(0)).toBeUndefined();
    expect(source.positionAt(6000)?.period.publishNumber).toBe(6);
  });

  it('takes over number, discontinuity and date, and never reuses a name', () => {
    const [source, window] = [createSource(), createFollower()];
    follow(window, source, 2000, segmentEvents(4000));
    follow(window, source, 6000);
    const sourceSegments = source.view().segments.slice(1);
    expect(
      window.view().segments.map(({ msn, discontinuity, wallClockMs }) => [msn, discontinuity, wallClockMs]),
    ).toEqual(sourceSegments.map(({ msn, discontinuity, wallClockMs }) => [msn, discontinuity, wallClockMs]));
    expect(window.view().segments.map(({ init: name }) => name)).toEqual([
      `init-5-${FIRST_MSN + 1}.mp4`,
      `init-5-${FIRST_MSN + 1}.mp4`,
      `init-6-${FIRST_MSN + 3}.mp4`,
    ]);
  });

  it('keeps its playlist until the first segment after a gap is closed, and then restarts', () => {
    const [source, window] = [createSource(), createFollower()];
    follow(window, source, 0);
    const position = source.positionAt(4000) ?? expect.unreachable('the source has no media at 4 s');
    window.align(position, { targetDuration: 2 });
    const [first, ...otherEvents] = segmentEvents(4000);
    window.apply(initEvent(4000));
    if (first) window.apply(first);
    expect(msns(window)).toEqual([0]);
    expect(window.view()).toMatchObject({ open: undefined, nextMsn: FIRST_MSN + 1 });
    for (const event of otherEvents) window.apply(event);
    expect(msns(window)).toEqual([2]);
    expect(window.view().nextMsn).toBe(FIRST_MSN + 3);
  });

  it('drops media of a segment that was not closed', () => {
    const [source, window] = [createSource(), createFollower()];
    follow(window, source, 0, segmentEvents(2000).slice(0, 2));
    expect(window.view().open?.msn).toBe(FIRST_MSN + 1);
    follow(window, source, 4000);
    expect(msns(window)).toEqual([2]);
  });
});

it('the media timeline begins at the requested time', () => {
  const { window } = new Packaging({ startMs: 7_500 });
  expect(window.mediaEndMs).toBe(7_500);
});
