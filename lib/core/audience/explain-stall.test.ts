import { describe, expect, test } from 'vitest';
import { type EncoderFacts, type EncoderSample, encoderFacts, explainStall } from './explain-stall';

const well: EncoderFacts = { silentMs: 0, speed: 1, transcodeSpeed: 1, switched: false };
const facts = { stalls: 10, slowStalls: 0, overloadedMs: 0, encoder: well };

test.each([
  [{ encoder: { ...well, silentMs: 4_200 } }, 'encoder_silent', 4_200],
  [{ encoder: { ...well, silentMs: 1_800, switched: true } }, 'input_switched', 1_800],
  [{ encoder: { ...well, speed: 0.7 } }, 'source_slow', 0.7],
  [{ encoder: { ...well, transcodeSpeed: 0.5 } }, 'transcode_slow', 0.5],
  [{ overloadedMs: 30_000, slowStalls: 10 }, 'server_overloaded', 30_000],
  [{ slowStalls: 5 }, 'viewer_connection', null],
  [{ slowStalls: 4 }, 'unknown', null],
  [{ encoder: null }, 'unknown', null],
])('%j: %s', (change, cause, measure) => {
  expect(explainStall({ ...facts, ...change })).toEqual({ cause, measure });
});

describe('encoderFacts', () => {
  const minute = { from: 60_000, to: 120_000 };
  const sample = (at: number, change: Partial<EncoderSample> = {}): EncoderSample => ({
    at,
    bitrate: 4e6,
    speed: 1,
    transcodeSpeed: null,
    ...change,
  });
  const steady = Array.from({ length: 16 }, (_, index) => sample(52_000 + index * 5_000));
  const without = (from: number, to: number) => steady.filter(({ at }) => at < from || at > to);

  test.each([
    ['steady samples have no gap', steady, 0],
    ['missing samples are a gap', without(80_000, 100_000), 20_000],
    ['a gap at the edge counts only inside the period', without(110_000, 125_000), 8_000],
    ['no samples after a moment', steady.filter(({ at }) => at < 90_000), 33_000],
    ['no samples', [], 0],
    [
      'a connection without media',
      steady.map((each, at) => (at === 6 ? { ...each, bitrate: 0 } : each)),
      5_000,
    ],
  ])('%s', (_name, samples, silentMs) => {
    expect(encoderFacts(samples, minute, false).silentMs).toBe(silentMs);
  });

  test('the lowest speed counts while the encoder sends', () => {
    const samples = [
      sample(70_000, { speed: 0.8 }),
      sample(75_000, { bitrate: 0, speed: 0 }),
      sample(80_000),
    ];
    expect(encoderFacts(samples, minute, true)).toMatchObject({
      speed: 0.8,
      transcodeSpeed: null,
      switched: true,
    });
  });
});
