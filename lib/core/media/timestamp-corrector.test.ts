import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StampedFrame, TimestampCorrector } from './timestamp-corrector';

const VIDEO_MS = 1000 / 30;
const AUDIO_MS = (1024 * 1000) / 48_000;

/** Frames of an encoder with correct timestamps and on-time arrival, in order of arrival. */
function steadyFrames(
  untilMs: number,
  kinds: readonly StampedFrame['kind'][] = ['video', 'audio'],
): StampedFrame[] {
  const createFrames = (kind: StampedFrame['kind'], frameMs: number) =>
    Array.from({ length: Math.floor(untilMs / frameMs) }, (_, n) => {
      const dts = Math.round(n * frameMs);
      return { kind, dts, arrivalMs: dts };
    });
  const frames = [...createFrames('video', VIDEO_MS), ...createFrames('audio', AUDIO_MS)];
  return frames.filter(({ kind }) => kinds.includes(kind)).sort((a, b) => a.arrivalMs - b.arrivalMs);
}

/** A sent frame with its corrected decode time in milliseconds. */
interface CorrectedFrame {
  readonly sent: StampedFrame;
  readonly dts: number;
}

function correctFrames(frames: readonly StampedFrame[]): CorrectedFrame[] {
  const corrector = new TimestampCorrector();
  return frames.map((sent) => ({ sent, dts: corrector.correct(sent) }));
}

/** Difference of the corrected time of each frame from its arrival, in milliseconds. */
const errorsOf = (frames: readonly CorrectedFrame[]): number[] =>
  frames.map(({ sent, dts }) => dts - sent.arrivalMs);

const largestStep = (frames: readonly CorrectedFrame[], kind: StampedFrame['kind']): number => {
  const times = frames.filter(({ sent }) => sent.kind === kind).map(({ dts }) => dts);
  return Math.max(...times.slice(1).map((dts, n) => dts - (times[n] ?? 0)));
};

describe('correct timestamps', () => {
  it('stay unchanged', () => {
    expect(errorsOf(correctFrames(steadyFrames(20_000))).every((error) => error === 0)).toBe(true);
  });

  it('stay unchanged if the network delays frames and then delivers them in a burst', () => {
    const frames = steadyFrames(20_000).map((frame) =>
      frame.dts >= 5_000 && frame.dts < 9_000 ? { ...frame, arrivalMs: 9_000 } : frame,
    );
    expect(correctFrames(frames).every(({ sent, dts }) => dts === sent.dts)).toBe(true);
  });

  it('stay unchanged if a file with a still picture is sent faster than real time', () => {
    const frames = steadyFrames(20_000)
      .filter(({ kind, dts }) => kind === 'audio' || dts < 5_000 || dts > 9_000)
      .map((frame) => ({ ...frame, arrivalMs: frame.dts / 50 }));
    expect(correctFrames(frames).every(({ sent, dts }) => dts === sent.dts)).toBe(true);
  });

  it.each([400, 900])('keep the offset of audio that arrives %d ms late', (lateMs) => {
    const frames = steadyFrames(10_000)
      .map((frame) => (frame.kind === 'audio' ? { ...frame, arrivalMs: frame.arrivalMs + lateMs } : frame))
      .sort((a, b) => a.arrivalMs - b.arrivalMs);
    expect(correctFrames(frames).every(({ sent, dts }) => dts === sent.dts)).toBe(true);
  });

  it('stay unchanged if the clock of one track drifts by 1000 ppm', () => {
    const frames = steadyFrames(120_000).map((frame) =>
      frame.kind === 'audio' ? { ...frame, dts: Math.round(frame.dts * 1.001) } : frame,
    );
    expect(correctFrames(frames).every(({ sent, dts }) => dts === sent.dts)).toBe(true);
  });

  it.each([
    ['both tracks', 'video audio'],
    ['the video', 'video'],
    ['the audio', 'audio'],
  ])('keep a pause of %s', (_name, pausedTracks) => {
    const frames = steadyFrames(40_000).filter(
      ({ kind, dts }) => !pausedTracks.includes(kind) || dts < 5_000 || dts > 25_000,
    );
    expect(correctFrames(frames).every(({ sent, dts }) => dts === sent.dts)).toBe(true);
  });

  it('keep video with a frame every five seconds', () => {
    const frames = steadyFrames(60_000).filter(({ kind, dts }) => kind === 'audio' || dts % 5_000 === 0);
    expect(correctFrames(frames).every(({ sent, dts }) => dts === sent.dts)).toBe(true);
  });
});

describe('timestamps out of line', () => {
  it.each([
    ['one audio frame 8 s late', 'audio', 400, 8_000],
    ['one audio frame an hour early', 'audio', 400, -3_600_000],
    ['one video frame 0.9 s late', 'video', 100, 900],
    ['one video frame 9,800 s late', 'video', 100, 9_800_000],
    ['one video frame 9 s early', 'video', 300, -9_000],
  ] as const)('%s: viewers see no difference', (_name, kind, index, offMs) => {
    const frames = steadyFrames(20_000);
    const frameToShift = frames.filter((frame) => frame.kind === kind)[index];
    const result = correctFrames(
      frames.map((frame) => (frame === frameToShift ? { ...frame, dts: frame.dts + offMs } : frame)),
    );
    expect(Math.max(...errorsOf(result).map(Math.abs))).toBeLessThanOrEqual(2);
  });

  it.each([9_800_000, -9_000])('every 60th video frame off by %d ms', (offMs) => {
    let videoFrames = 0;
    const frames = steadyFrames(60_000).map((frame) =>
      frame.kind === 'video' && ++videoFrames % 60 === 0 ? { ...frame, dts: frame.dts + offMs } : frame,
    );
    expect(Math.max(...errorsOf(correctFrames(frames)).map(Math.abs))).toBeLessThanOrEqual(2);
  });
});

describe('clocks', () => {
  it.each([
    ['video an hour ahead', { video: 3_600_000, audio: 0 }],
    ['audio 15 s ahead', { video: 0, audio: 15_000 }],
  ])('of audio and video that differ from the start (%s) are aligned', (_name, aheadMs) => {
    const frames = steadyFrames(10_000).map((frame) => ({ ...frame, dts: frame.dts + aheadMs[frame.kind] }));
    const [first = 0, ...rest] = errorsOf(correctFrames(frames));
    expect(Math.max(...rest.map((error) => Math.abs(error - first)))).toBeLessThanOrEqual(2);
  });

  it('keep audio that starts 3 s ahead of the video, as the encoder intends', () => {
    const frames = steadyFrames(10_000).map((frame) =>
      frame.kind === 'audio' ? { ...frame, dts: frame.dts + 3_000 } : frame,
    );
    expect(correctFrames(frames).every(({ sent, dts }) => dts === sent.dts)).toBe(true);
  });

  it.each([3_600_000, -3_600_000, 20_000, -4_000])('changed by %d ms are followed without a gap', (setMs) => {
    const frames = steadyFrames(20_000).map((frame) =>
      frame.arrivalMs >= 8_000 ? { ...frame, dts: frame.dts + setMs } : frame,
    );
    const result = correctFrames(frames);
    expect(largestStep(result, 'video')).toBeLessThanOrEqual(100);
    expect(largestStep(result, 'audio')).toBeLessThanOrEqual(100);
    expect(Math.max(...errorsOf(result).map(Math.abs))).toBeLessThanOrEqual(100);
  });

  it("a change of one track's clock leaves the other track unchanged", () => {
    const frames = steadyFrames(20_000).map((frame) =>
      frame.kind === 'audio' && frame.arrivalMs >= 8_000 ? { ...frame, dts: frame.dts - 7_000 } : frame,
    );
    expect(Math.max(...errorsOf(correctFrames(frames)).map(Math.abs))).toBeLessThanOrEqual(50);
  });

  it('changed during a pause of 20 s keep the pause', () => {
    const frames = steadyFrames(60_000)
      .filter(({ dts }) => dts < 10_000 || dts > 30_000)
      .map((frame) => (frame.arrivalMs > 30_000 ? { ...frame, dts: frame.dts - 30_000 } : frame));
    expect(Math.max(...errorsOf(correctFrames(frames)).map(Math.abs))).toBeLessThanOrEqual(100);
  });

  it('keep audio and video together after any pause, however late the frames after it arrive', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 400, max: 9_000 }),
        fc.integer({ min: -300, max: 3_000 }),
        fc.integer({ min: 0, max: 1_000 }),
        (pauseMs, lateMs, phaseMs) => {
          const fromMs = 5_000 + phaseMs;
          const frames = steadyFrames(20_000)
            .filter(({ dts }) => dts < fromMs || dts >= fromMs + pauseMs)
            .map((frame) =>
              frame.dts < fromMs
                ? frame
                : { ...frame, arrivalMs: Math.max(fromMs, frame.arrivalMs + lateMs) },
            );
          const lastError = (kind: string) => {
            const last = correctFrames(frames).findLast(({ sent }) => sent.kind === kind);
            return last ? last.dts - last.sent.dts : Number.NaN;
          };
          expect(Math.abs(lastError('video') - lastError('audio'))).toBeLessThan(100);
        },
      ),
    );
  });

  it('changed every five seconds do not move audio and video apart', () => {
    const frames = steadyFrames(120_000).map((frame) => ({
      ...frame,
      dts: frame.dts + Math.floor(frame.arrivalMs / 5_000) * 77_777,
    }));
    expect(Math.max(...errorsOf(correctFrames(frames).slice(-100)).map(Math.abs))).toBeLessThanOrEqual(150);
  });
});

describe('a track that falls further behind the other one', () => {
  const lostMs = 5_000;
  const framesWithStop = (kind: StampedFrame['kind']) =>
    steadyFrames(30_000).flatMap((frame) => {
      if (frame.kind !== kind || frame.arrivalMs < 8_000) return [frame];
      return frame.arrivalMs < 8_000 + lostMs ? [] : [{ ...frame, dts: frame.dts - lostMs }];
    });

  it.each(['video', 'audio'] as const)('continues at its arrival if it stays behind: %s', (kind) => {
    const framesAfterStop = correctFrames(framesWithStop(kind)).filter(({ sent }) => sent.arrivalMs > 15_000);
    expect(Math.max(...errorsOf(framesAfterStop).map(Math.abs))).toBeLessThanOrEqual(50);
  });

  it('keeps its timestamps if it catches up', () => {
    const frames = steadyFrames(30_000)
      .map((frame) => {
        // Five seconds of audio are delayed, then sent at twice the pace.
        const isDelayed = frame.kind === 'audio' && frame.dts >= 8_000 && frame.dts < 18_000;
        return isDelayed ? { ...frame, arrivalMs: 13_000 + (frame.dts - 8_000) / 2 } : frame;
      })
      .sort((a, b) => a.arrivalMs - b.arrivalMs);
    expect(correctFrames(frames).every(({ sent, dts }) => dts === sent.dts)).toBe(true);
  });

  it('keeps its timestamps in a file sent faster than real time, with audio 6 s behind its video', () => {
    const frames = steadyFrames(60_000)
      .map((frame) => ({ ...frame, arrivalMs: (frame.dts + (frame.kind === 'audio' ? 6_000 : 0)) / 20 }))
      .sort((a, b) => a.arrivalMs - b.arrivalMs);
    expect(correctFrames(frames).every(({ sent, dts }) => dts === sent.dts)).toBe(true);
  });
});

it.each([
  ['never change', () => 0],
  ['are whole seconds', (dts: number) => dts - (dts % 1_000)],
  ['are equal for two frames', (dts: number) => dts - (dts % 67)],
])('frames whose timestamps %s are placed by their arrival', (_name, stampOf) => {
  const result = correctFrames(steadyFrames(20_000).map((frame) => ({ ...frame, dts: stampOf(frame.dts) })));
  expect(Math.max(...errorsOf(result).map(Math.abs))).toBeLessThanOrEqual(70);
});

describe('any input', () => {
  const stamp = fc.oneof(
    fc.integer({ min: -(2 ** 31), max: 2 ** 32 }),
    fc.integer({ min: 0, max: 2_000 }),
    fc.constant(0),
  );
  const frame = fc.record({
    kind: fc.constantFrom('video' as const, 'audio' as const),
    dts: stamp,
    waitMs: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 30_000 })),
  });

  it('gives rising decode times to the frames of a track', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 200 }), (frames) => {
        let arrivalMs = 0;
        const corrector = new TimestampCorrector();
        const lastDts = { video: -Infinity, audio: -Infinity };
        for (const { kind, dts, waitMs } of frames) {
          const correctedDts = corrector.correct({ kind, dts, arrivalMs: (arrivalMs += waitMs) });
          expect(correctedDts).toBeGreaterThan(lastDts[kind]);
          lastDts[kind] = correctedDts;
        }
      }),
    );
  });

  it('keeps audio and video together if their clocks change equally', () => {
    const set = fc.record({
      atMs: fc.integer({ min: 3_000, max: 9_000 }),
      byMs: fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
    });
    fc.assert(
      fc.property(set, ({ atMs, byMs }) => {
        const frames = steadyFrames(12_000).map((frame) =>
          frame.arrivalMs >= atMs ? { ...frame, dts: frame.dts + byMs } : frame,
        );
        const last = correctFrames(frames).slice(-10);
        const error = (kind: StampedFrame['kind']) =>
          errorsOf(last.filter(({ sent }) => sent.kind === kind))[0] ?? NaN;
        expect(Math.abs(error('video') - error('audio'))).toBeLessThanOrEqual(100);
      }),
    );
  });

  it('moves no frame by more than 2 ms because of single wrong timestamps', () => {
    const frames = steadyFrames(10_000);
    const stray = fc.record({
      index: fc.integer({ min: 10, max: frames.length - 1 }),
      offMs: fc.oneof(fc.integer({ min: 350, max: 2 ** 31 }), fc.integer({ min: -(2 ** 31), max: -350 })),
    });
    fc.assert(
      fc.property(fc.uniqueArray(stray, { maxLength: 8, comparator: areTooClose }), (strays) => {
        const sent = frames.map((frame, n) => {
          const stray = strays.find(({ index }) => index === n);
          return stray ? { ...frame, dts: frame.dts + stray.offMs } : frame;
        });
        expect(Math.max(...errorsOf(correctFrames(sent)).map(Math.abs))).toBeLessThanOrEqual(2);
      }),
    );
  });
});

/** Consecutive frames out of line may be a new clock. */
const areTooClose = (a: { readonly index: number }, b: { readonly index: number }): boolean =>
  Math.abs(a.index - b.index) < 10;
