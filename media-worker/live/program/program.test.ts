import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { steadyFrames } from '@/media-worker/media/packaging/testing/synthetic-packets';
import { openProgram, play, frameIntervalsOf } from './testing/open-program';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const lastOnAir = (lines: readonly string[]) => lines.findLast((line) => line.startsWith('on air'));
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Expects that timestamps increase, no gap is longer than 600 ms, and audio stays within 100 ms of the video. */
function expectOneTimeline(packets: readonly MediaPacket[]): void {
  for (const kind of ['video', 'audio'] as const) {
    const steps = frameIntervalsOf(packets, kind);
    expect(Math.min(...steps)).toBeGreaterThan(0);
    expect(Math.max(...steps)).toBeLessThanOrEqual(600);
  }
  const lastFrameOf = (kind: string) =>
    packets.findLast((packet) => packet.kind === kind && packet.role === 'frame');
  expect(Math.abs((lastFrameOf('video')?.dts ?? 0) - (lastFrameOf('audio')?.dts ?? 0))).toBeLessThanOrEqual(
    100,
  );
}

const initNames = (segments: ReturnType<typeof openProgram>['segments']) => [
  ...new Set(segments().map(({ init }) => init)),
];

describe('a single encoder', () => {
  test('that is lost and reconnects continues on the same bus, without a gap', async () => {
    const { connect, packets, busEnd, lines } = openProgram();
    for (let publishNumber = 1; publishNumber <= 20; publishNumber++) {
      const connection = connect('primary', publishNumber);
      await play([[connection, { seconds: 2.6, fromMs: publishNumber * 1_000_000 }]]);
      connection.disconnect('lost');
      await wait(4_000);
    }
    expect(busEnd()).toBeNull();
    expectOneTimeline(packets);
    expect(lines.filter((line) => line === 'ended lost')).toHaveLength(20);
  });

  test('that unpublishes ends the bus and its readers', async () => {
    const { connect, busEnd } = openProgram({ slate: true, slateSeconds: 60 });
    const connection = connect();
    await play([[connection, { seconds: 3 }]]);
    connection.disconnect('finished');
    expect(busEnd()).toBe('finished');
  });
});

describe('a standby encoder', () => {
  test('is not on air, and takes over immediately when the primary is lost', async () => {
    const { connect, packets, lines, busEnd } = openProgram({ backup: true });
    const [primary, standby] = [connect(), connect('standby')];
    await play([
      [primary, { seconds: 5 }],
      [standby, { seconds: 5, fromMs: 77_000, video: CONFIG_RECORDS.baseline360, gopMs: 4_000 }],
    ]);
    expect(packets.some(({ payload }) => payload.equals(CONFIG_RECORDS.baseline360))).toBe(false);
    const countBefore = packets.length;
    primary.disconnect('lost');
    // The current GOP of the standby follows immediately.
    expect(packets.slice(countBefore).find(({ role }) => role === 'frame')).toMatchObject({
      kind: 'video',
      key: true,
    });
    await play([[standby, { seconds: 3, fromMs: 82_000, isContinuation: true }]]);
    expectOneTimeline(packets);
    expect(lines.filter((line) => line.startsWith('on air'))).toEqual(['on air primary', 'on air standby']);
    expect(busEnd()).toBeNull();
  });

  test('takes over from a silent primary, whose backlog is never shown', async () => {
    const { connect, packets, lines } = openProgram({ backup: true, fallbackAfterMs: 3_000 });
    const [primary, standby] = [connect(), connect('standby')];
    await play([
      [primary, { seconds: 4 }],
      [standby, { seconds: 4, fromMs: 50_000 }],
    ]);
    // The uplink of the primary stalls for five seconds, then delivers everything.
    await play([[standby, { seconds: 5, fromMs: 54_000, isContinuation: true }]]);
    expect(lastOnAir(lines)).toBe('on air standby');
    const countBefore = packets.length;
    primary.publish(steadyFrames({ fromMs: 4_000, untilMs: 9_000 }));
    expect(packets).toHaveLength(countBefore);
    await play([
      [primary, { seconds: 8, fromMs: 9_000, isContinuation: true }],
      [standby, { seconds: 8, fromMs: 59_000, isContinuation: true }],
    ]);
    expect(lastOnAir(lines)).toBe('on air standby');
    await play([
      [primary, { seconds: 5, fromMs: 17_000, isContinuation: true }],
      [standby, { seconds: 5, fromMs: 67_000, isContinuation: true }],
    ]);
    expect(lastOnAir(lines)).toBe('on air primary');
    const gaps = frameIntervalsOf(packets, 'video').filter((step) => step > 600);
    expect(gaps).toEqual([]);
  });

  test('keeps audio and video in sync over twenty switches', async () => {
    const { program, connect, packets, lines } = openProgram({ backup: true });
    const [primary, standby] = [connect(), connect('standby')];
    for (let round = 0; round < 20; round++) {
      const isContinuation = round > 0;
      await play([
        [primary, { seconds: 3, fromMs: round * 3_000, isContinuation }],
        [standby, { seconds: 3, fromMs: 500_000 + round * 3_000, isContinuation, gopMs: 1_000 }],
      ]);
      expect(program.switchTo(round % 2 === 0 ? 'standby' : 'primary')).toBe(true);
    }
    expect(lines.filter((line) => line.startsWith('on air')).length).toBeGreaterThanOrEqual(20);
    expectOneTimeline(packets);
  });

  test('stays on air after a manual switch, which waits for its keyframe', async () => {
    const { program, connect, lines } = openProgram({ backup: true });
    const [primary, standby] = [connect(), connect('standby')];
    await play([
      [primary, { seconds: 3 }],
      [standby, { seconds: 3 }],
    ]);
    program.switchTo('standby');
    expect(lastOnAir(lines)).toBe('on air primary');
    await play([
      [primary, { seconds: 20, fromMs: 3_000, isContinuation: true }],
      [standby, { seconds: 20, fromMs: 3_000, isContinuation: true }],
    ]);
    expect(lastOnAir(lines)).toBe('on air standby');
    expect(program.report).toMatchObject({ input: 'standby', byHand: true });
    program.switchTo('primary');
    await play([[primary, { seconds: 2, fromMs: 23_000, isContinuation: true }]]);
    expect(lastOnAir(lines)).toBe('on air primary');
  });

  test('continues when the primary unpublishes, and ends the program when it unpublishes too', async () => {
    const { connect, lines, busEnd } = openProgram({ backup: true });
    const [primary, standby] = [connect(), connect('standby')];
    await play([
      [primary, { seconds: 3 }],
      [standby, { seconds: 3 }],
    ]);
    primary.disconnect('finished');
    expect([lastOnAir(lines), busEnd()]).toEqual(['on air standby', null]);
    standby.disconnect('finished');
    expect(busEnd()).toBe('finished');
  });

  test('with rejected media is disconnected, without an effect on air', async () => {
    const { connect, lines } = openProgram({ backup: true });
    const [primary, standby] = [connect(), connect('standby')];
    await play([[primary, { seconds: 3 }]]);
    const vp9 = steadyFrames({ untilMs: 100, audio: false }).map((frame) => ({ ...frame, codec: 'vp9' }));
    standby.publish(vp9 as MediaPacket[]);
    expect(standby.endReason).toBe('cut');
    expect(primary.endReason).toBeNull();
    expect(lines).toContain('rejected video codec is VP9; H.264, HEVC and AV1 are accepted');
  });
});

describe('a slate', () => {
  test('replaces a lost encoder at 25 frames per second, with the same init segment each time', async () => {
    const { connect, packets, lines, segments } = openProgram({ slate: true, slateSeconds: 60 });
    for (let publishNumber = 1; publishNumber <= 4; publishNumber++) {
      const connection = connect('primary', publishNumber);
      await play([[connection, { seconds: 5, fromMs: publishNumber * 100_000 }]]);
      const countBefore = packets.length;
      connection.disconnect('lost');
      expect(lastOnAir(lines)).toBe('on air slate');
      await wait(7_000);
      const slateFrames = packets
        .slice(countBefore)
        .filter(({ kind, role }) => kind === 'video' && role === 'frame');
      // Seven seconds of 25 frames.
      expect(slateFrames.length).toBeGreaterThanOrEqual(174);
      expect(slateFrames.length).toBeLessThanOrEqual(177);
    }
    expectOneTimeline(packets);
    // One init segment of the encoder and one with the slate's parameter sets; neither repeats.
    expect(initNames(segments)).toEqual(['init-1.mp4', 'init-1-1.mp4']);
    const configs = packets.filter(({ kind, role }) => kind === 'video' && role === 'config');
    expect(new Set(configs.map(({ payload }) => payload.toString('hex'))).size).toBe(2);
  });

  test('has separate segments, so that a recording can leave it out', async () => {
    const { connect, segments } = openProgram({ slate: true, slateSeconds: 60 });
    for (let publishNumber = 1; publishNumber <= 2; publishNumber++) {
      const connection = connect('primary', publishNumber);
      await play([[connection, { seconds: 5 }]]);
      connection.disconnect('lost');
      await wait(7_000);
    }
    const windowSegments = segments();
    const lengthOf = (isSlate: boolean) =>
      windowSegments
        .filter((segment) => segment.isSlate === isSlate)
        .reduce((sum, segment) => sum + segment.durationMs, 0);
    expect(lengthOf(false) / 1_000).toBeCloseTo(10, 0);
    expect(lengthOf(true) / 1_000).toBeGreaterThan(11);
  });

  test('is H.264 beside an HEVC encoder, each with a separate init segment', async () => {
    const { connect, segments, lines, packets } = openProgram({ slate: true, slateSeconds: 60 });
    for (let publishNumber = 1; publishNumber <= 2; publishNumber++) {
      const encoder = connect('primary', publishNumber);
      await play([
        [
          encoder,
          { seconds: 6, fromMs: publishNumber * 1_000_000, video: CONFIG_RECORDS.hevc320, hevc: true },
        ],
      ]);
      encoder.disconnect('lost');
      await wait(6_000);
    }
    const codecs = segments().map(({ period }) => period.tracks.video?.codec.slice(0, 4));
    expect(codecs.filter((codec, index) => codec !== codecs[index - 1])).toEqual([
      'hvc1',
      'avc1',
      'hvc1',
      'avc1',
    ]);
    expect(initNames(segments)).toHaveLength(4);
    expect(lines).not.toContainEqual(expect.stringContaining('rejected'));
    expectOneTimeline(packets);
  });

  test('is followed by a standby of another size, then by the slate again', async () => {
    const { connect, packets, lines, segments } = openProgram({
      slate: true,
      backup: true,
      slateSeconds: 60,
    });
    const primary = connect();
    await play([[primary, { seconds: 4 }]]);
    primary.disconnect('lost');
    await wait(3_000);
    const standby = connect('standby');
    await play([
      [standby, { seconds: 5, video: CONFIG_RECORDS.baseline360, audio: CONFIG_RECORDS.aacMono44 }],
    ]);
    standby.disconnect('lost');
    await wait(3_000);
    expect(lines.filter((line) => line.startsWith('on air'))).toEqual([
      ...['on air primary', 'on air slate', 'on air standby', 'on air slate'],
    ]);
    for (const kind of ['video', 'audio'] as const)
      expect(Math.min(...frameIntervalsOf(packets, kind))).toBeGreaterThan(0);
    expect(segments().length).toBeGreaterThan(5);
  });

  test('that is selected manually hides a working encoder until the encoder is selected again', async () => {
    const { program, connect, packets, lines } = openProgram({ slate: true, slateSeconds: 60 });
    const primary = connect();
    await play([[primary, { seconds: 4 }]]);
    expect(program.switchTo('slate')).toBe(true);
    await play([[primary, { seconds: 20, fromMs: 4_000, isContinuation: true }]]);
    expect(lastOnAir(lines)).toBe('on air slate');
    program.switchTo('primary');
    await play([[primary, { seconds: 3, fromMs: 24_000, isContinuation: true }]]);
    expect(lastOnAir(lines)).toBe('on air primary');
    expectOneTimeline(packets);
  });

  test('is shown for an open connection that sends nothing, whose delayed media is dropped', async () => {
    const { connect, packets, lines } = openProgram({ slate: true, slateSeconds: 60 });
    const primary = connect();
    await play([[primary, { seconds: 4 }]]);
    await wait(4_000);
    expect(lastOnAir(lines)).toBe('on air slate');
    primary.publish(steadyFrames({ fromMs: 4_000, untilMs: 8_000 }));
    expect(lastOnAir(lines)).toBe('on air slate');
    await play([[primary, { seconds: 3, fromMs: 8_000, isContinuation: true }]]);
    expect(lastOnAir(lines)).toBe('on air primary');
    for (const kind of ['video', 'audio'] as const)
      expect(Math.min(...frameIntervalsOf(packets, kind))).toBeGreaterThan(0);
  });
});
