import { expect, it } from 'vitest';
import { buildAacRecord, buildHeAacRecord, parseAacConfig } from './aac-config';
import { detectAacRecord } from './true-aac-config';

const pair = Buffer.from('210049', 'hex');
const single = Buffer.from('00c800', 'hex');
const fill = Buffer.from('de0200', 'hex');
const lc = (rate: number, channels: number) => buildAacRecord(rate, channels) ?? Buffer.alloc(0);
const he = (coreRate: number, channels: number) => buildHeAacRecord(coreRate, channels) ?? Buffer.alloc(0);

/** Frames of 1,024 samples at this rate, with rounded timestamps. */
const framesAt = (rate: number, payload: Buffer, count = 8) =>
  Array.from({ length: count }, (_, n) => ({
    dts: Math.round((n * 1_024_000) / rate),
    payload: n === 0 ? fill : payload,
  }));

it('HE-AAC is announced explicitly', () => {
  expect(parseAacConfig(he(24_000, 2))).toMatchObject({
    codec: 'mp4a.40.5',
    timescale: 24_000,
    sampleRate: 48_000,
    channels: 2,
  });
  expect(buildHeAacRecord(8_000, 2) && parseAacConfig(he(8_000, 2)).sampleRate).toBe(16_000);
  expect(buildHeAacRecord(48_000, 3)).toEqual(he(48_000, 3));
  expect(buildHeAacRecord(12_345, 2)).toBeUndefined();
});

it.each([
  ['AAC-LC', lc(48_000, 2), 48_000, pair],
  ['AAC-LC, mono', lc(44_100, 1), 44_100, single],
  ['HE-AAC', he(24_000, 2), 24_000, pair],
  ['5.1, which begins with a single channel', lc(48_000, 6), 48_000, single],
])('%s with a correct configuration is certain after its second frame', (_name, record, rate, payload) => {
  expect(detectAacRecord(parseAacConfig(record), framesAt(rate, payload, 1))).toBeNull();
  expect(detectAacRecord(parseAacConfig(record), framesAt(rate, payload, 3))).toEqual(record);
});

it.each([
  ['HE-AAC and is AAC-LC', he(24_000, 2), 48_000, pair, lc(48_000, 2)],
  ['AAC-LC and is HE-AAC', lc(48_000, 2), 24_000, pair, he(24_000, 2)],
  ['mono and is stereo', lc(48_000, 1), 48_000, pair, lc(48_000, 2)],
  ['stereo and is mono', lc(44_100, 2), 44_100, single, lc(44_100, 1)],
])(
  'the configuration is corrected for audio that is announced as %s',
  (_name, record, rate, payload, expected) => {
    expect(detectAacRecord(parseAacConfig(record), framesAt(rate, payload))).toEqual(expected);
  },
);

it.each([
  ['twice as long', [0, 290, 291, 292, 293, 294, 295, 299]],
  ['half as long', [0, 60, 61, 62, 63, 64, 65, 75]],
])('jittering timestamps whose frames seem %s on average do not change the configuration', (_name, times) => {
  const frames = framesAt(48_000, pair).map((frame, n) => ({ ...frame, dts: times[n] ?? 0 }));
  expect(detectAacRecord(parseAacConfig(lc(48_000, 2)), frames)).toEqual(lc(48_000, 2));
});

it.each([
  ['never advance', 0],
  ['advance by a distance of no sample rate', 33],
  ['advance by minutes', 60_000],
])('a configuration is trusted if timestamps %s', (_name, stepMs) => {
  const frames = framesAt(48_000, pair).map((frame, n) => ({ ...frame, dts: n * stepMs }));
  expect(detectAacRecord(parseAacConfig(lc(48_000, 2)), frames)).toEqual(lc(48_000, 2));
});
