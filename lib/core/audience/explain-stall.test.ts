import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EncoderFacts, type EncoderSample, summarizeEncoder, explainStall } from './explain-stall';

const healthyEncoder: EncoderFacts = {
  silentMs: 0,
  speed: 1,
  transcodeSpeed: 1,
  lateMs: 0,
  hasSwitchedInput: false,
};
const facts = { stalls: 10, slowStalls: 0, edgeStalls: 0, overloadedMs: 0, encoder: healthyEncoder };

test.each([
  [{ encoder: { ...healthyEncoder, silentMs: 4_200 } }, 'encoder_silent', 4_200],
  [{ encoder: { ...healthyEncoder, silentMs: 1_800, hasSwitchedInput: true } }, 'input_switched', 1_800],
  [{ encoder: { ...healthyEncoder, speed: 0.7 } }, 'source_slow', 0.7],
  [{ encoder: { ...healthyEncoder, transcodeSpeed: 0.5 } }, 'transcode_slow', 0.5],
  [{ overloadedMs: 30_000, slowStalls: 10 }, 'server_overloaded', 30_000],
  [{ encoder: { ...healthyEncoder, lateMs: 1_400 }, edgeStalls: 10 }, 'published_late', 1_400],
  [{ encoder: { ...healthyEncoder, lateMs: 900 } }, 'unknown', null],
  [{ encoder: { ...healthyEncoder, lateMs: 1_400, speed: 0.85 } }, 'source_slow', 0.85],
  [{ encoder: { ...healthyEncoder, lateMs: 3_000 }, overloadedMs: 30_000 }, 'server_overloaded', 30_000],
  [{ edgeStalls: 5, slowStalls: 10 }, 'edge_miss', null],
  [{ edgeStalls: 4, slowStalls: 4 }, 'unknown', null],
  [{ edgeStalls: 10, encoder: null }, 'edge_miss', null],
  [{ slowStalls: 5 }, 'viewer_connection', null],
  [{ slowStalls: 4 }, 'unknown', null],
  [{ encoder: null }, 'unknown', null],
])('stalls with %j are caused by %s, with the measurement %s', (change, cause, measure) => {
  expect(explainStall({ ...facts, ...change })).toEqual({ cause, measure });
});

test('the cause of stalls with late media or a waiting edge is that one or an earlier one in the order of the checks', () => {
  const count = fc.integer({ min: 0, max: 10 });
  const arbitraryFacts = fc.record({
    stalls: fc.constant(10),
    slowStalls: count,
    edgeStalls: count,
    overloadedMs: fc.constantFrom(0, 9_000, 20_000),
    encoder: fc.option(
      fc.record({
        silentMs: fc.constantFrom(0, 1_900, 5_000),
        speed: fc.constantFrom(null, 0.5, 1),
        transcodeSpeed: fc.constantFrom(null, 0.5, 1),
        lateMs: fc.constantFrom(null, 0, 900, 4_000),
        hasSwitchedInput: fc.boolean(),
      }),
    ),
  });
  const causesAbove = [
    'input_switched',
    'encoder_silent',
    'source_slow',
    'transcode_slow',
    'server_overloaded',
  ];
  fc.assert(
    fc.property(arbitraryFacts, (stallFacts) => {
      const late = explainStall({
        ...stallFacts,
        encoder: { ...(stallFacts.encoder ?? healthyEncoder), lateMs: 5_000 },
      });
      expect([...causesAbove, 'published_late']).toContain(late.cause);
      const behindEdge = explainStall({ ...stallFacts, edgeStalls: stallFacts.stalls });
      expect([...causesAbove, 'published_late', 'edge_miss']).toContain(behindEdge.cause);
      // A measured cause has its measurement.
      if (late.cause === 'published_late') expect(late.measure).toBe(5_000);
    }),
  );
});

describe('summarizeEncoder', () => {
  const minute = { fromMs: 60_000, toMs: 120_000 };
  const createSample = (takenAtMs: number, change: Partial<EncoderSample> = {}): EncoderSample => ({
    takenAtMs,
    bitrate: 4e6,
    speed: 1,
    transcodeSpeed: null,
    latenessMs: null,
    silenceMs: null,
    ...change,
  });
  /** Samples at 52 s, 57 s, …, 127 s. */
  const steadySamples = Array.from({ length: 16 }, (_, index) => createSample(52_000 + index * 5_000));
  const samplesWithout = (fromMs: number, toMs: number) =>
    steadySamples.filter(({ takenAtMs }) => takenAtMs < fromMs || takenAtMs > toMs);

  test.each([
    // A gap counts without the normal interval of 5 s. From 77 s to 102 s: 25 s - 5 s.
    ['steady samples', steadySamples, 0],
    ['samples with a gap', samplesWithout(80_000, 100_000), 20_000],
    // From 107 s to the end of the period at 120 s: 13 s - 5 s.
    ['a gap that ends after the period', samplesWithout(110_000, 125_000), 8_000],
    // From the last sample at 87 s to the end of the period; this time counts as a whole.
    [
      'a period without samples at its end',
      steadySamples.filter(({ takenAtMs }) => takenAtMs < 90_000),
      33_000,
    ],
    ['no samples', [], 0],
    [
      'a connection without media',
      steadySamples.map((encoderSample, index) =>
        index === 6 ? { ...encoderSample, bitrate: 0 } : encoderSample,
      ),
      5_000,
    ],
  ])('the silence of %s is $2 ms', (_name, samples, silentMs) => {
    expect(summarizeEncoder(samples, minute, false).silentMs).toBe(silentMs);
  });

  test('the speed is the lowest one while the encoder sends', () => {
    const samples = [
      createSample(70_000, { speed: 0.8 }),
      createSample(75_000, { bitrate: 0, speed: 0 }),
      createSample(80_000),
    ];
    expect(summarizeEncoder(samples, minute, true)).toMatchObject({
      speed: 0.8,
      transcodeSpeed: null,
      lateMs: null,
      hasSwitchedInput: true,
    });
  });

  test('a silence inside of a sample counts even if media arrived in every sample', () => {
    const samples = steadySamples.map((encoderSample, index) =>
      index === 6 ? { ...encoderSample, speed: 0.45, silenceMs: 3_900 } : encoderSample,
    );
    const encoder = summarizeEncoder(samples, minute, false);
    expect(encoder.silentMs).toBe(3_900);
    expect(explainStall({ stalls: 1, slowStalls: 0, edgeStalls: 0, overloadedMs: 0, encoder })).toEqual({
      cause: 'encoder_silent',
      measure: 3_900,
    });
  });

  test('the lateness is that of the worst sample', () => {
    const samples = [70_000, 75_000, 80_000].map((takenAtMs, index) =>
      createSample(takenAtMs, { latenessMs: [0, 1_900, 300][index] ?? 0 }),
    );
    expect(summarizeEncoder(samples, minute, false).lateMs).toBe(1_900);
  });
});
