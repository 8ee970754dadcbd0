import { expect, it } from 'vitest';
import { buildAacRecord, buildHeAacRecord, parseAacConfig } from './aac-config';
import { detectAacRecord } from './detect-aac-config';

/** The first bytes of frames with a channel pair, with a single channel, and with fill bytes. */
const stereoFrame = Buffer.from('210049', 'hex');
const monoFrame = Buffer.from('00c800', 'hex');
const fillFrame = Buffer.from('de0200', 'hex');
const lcRecord = (rate: number, channels: number) => buildAacRecord(rate, channels) ?? Buffer.alloc(0);
const heRecord = (coreRate: number, channels: number) =>
  buildHeAacRecord(coreRate, channels) ?? Buffer.alloc(0);

/** Frames of 1,024 samples at this rate, with rounded timestamps; the first one has no audio. */
const framesAt = (rate: number, payload: Buffer, count = 8) =>
  Array.from({ length: count }, (_, n) => ({
    dts: Math.round((n * 1_024_000) / rate),
    payload: n === 0 ? fillFrame : payload,
  }));

it('an HE-AAC record has the core rate and twice that rate, and exists only if both have an index', () => {
  expect(parseAacConfig(heRecord(24_000, 2))).toMatchObject({
    codec: 'mp4a.40.5',
    timescale: 24_000,
    sampleRate: 48_000,
    channels: 2,
  });
  expect(parseAacConfig(heRecord(8_000, 2)).sampleRate).toBe(16_000);
  expect(parseAacConfig(heRecord(48_000, 3))).toMatchObject({ sampleRate: 96_000, channels: 3 });
  expect(buildHeAacRecord(12_345, 2)).toBeUndefined();
});

it.each([
  ['AAC-LC', lcRecord(48_000, 2), 48_000, stereoFrame],
  ['AAC-LC, mono', lcRecord(44_100, 1), 44_100, monoFrame],
  ['HE-AAC', heRecord(24_000, 2), 24_000, stereoFrame],
  ['5.1, which begins with a single channel', lcRecord(48_000, 6), 48_000, monoFrame],
])('%s with a correct configuration is certain after its second frame', (_name, record, rate, payload) => {
  expect(detectAacRecord(parseAacConfig(record), framesAt(rate, payload, 1))).toBeNull();
  expect(detectAacRecord(parseAacConfig(record), framesAt(rate, payload, 2))).toEqual(record);
});

it.each([
  ['HE-AAC but is AAC-LC', heRecord(24_000, 2), 48_000, stereoFrame, lcRecord(48_000, 2)],
  ['AAC-LC but is HE-AAC', lcRecord(48_000, 2), 24_000, stereoFrame, heRecord(24_000, 2)],
  ['mono but is stereo', lcRecord(48_000, 1), 48_000, stereoFrame, lcRecord(48_000, 2)],
  ['stereo but is mono', lcRecord(44_100, 2), 44_100, monoFrame, lcRecord(44_100, 1)],
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
  const frames = framesAt(48_000, stereoFrame).map((frame, n) => ({ ...frame, dts: times[n] ?? 0 }));
  expect(detectAacRecord(parseAacConfig(lcRecord(48_000, 2)), frames)).toEqual(lcRecord(48_000, 2));
});

it.each([
  ['never advance', 0],
  ['advance by a distance of no sample rate', 33],
  ['advance by minutes', 60_000],
])('a configuration is trusted if timestamps %s', (_name, stepMs) => {
  const frames = framesAt(48_000, stereoFrame).map((frame, n) => ({ ...frame, dts: n * stepMs }));
  expect(detectAacRecord(parseAacConfig(lcRecord(48_000, 2)), frames)).toEqual(lcRecord(48_000, 2));
});
