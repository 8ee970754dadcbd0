import { describe, expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import type { StreamHealthSample } from '@/lib/contract/streams/stream-health';
import { chartColumns, healthFacts, healthMinutes } from './health-text';

const createSample = (change: Partial<StreamHealthSample> = {}): StreamHealthSample => ({
  at: 0,
  sessionId: '5b0f8c1e-2f0a-4a53-9d0f-1c4b8a7e6d21',
  bitrate: 3_128_000,
  videoBitrate: 3_000_000,
  audioBitrate: 128_000,
  video: { codec: 'h264', width: 1280, height: 720 },
  audio: { codec: 'aac', sampleRate: 44_100, channels: 2 },
  fps: 29.97,
  keyframeInterval: 2.002,
  reorder: 66,
  jumps: 0,
  drift: 3,
  speed: 1,
  transcodeSpeed: null,
  lateness: null,
  silence: 0,
  ...change,
});

const factsOf = (sample: StreamHealthSample) =>
  Object.fromEntries(healthFacts(englishMessages('streams.healthTexts'), sample, 'en'));

describe('healthFacts', () => {
  test('describe video and audio', () => {
    expect(factsOf(createSample())).toEqual({
      Bitrate: '3.1 Mbit/s',
      'Frame rate': '30 fps',
      Keyframes: 'every 2 s',
      Video: '1280×720 H.264',
      Audio: 'AAC 44.1 kHz stereo',
      'Audio drift': '+3 ms',
      'Input speed': '1.00× real time',
    });
  });

  test('describe missing media, the transcoding speed, lateness and surround sound', () => {
    const emptyValues = { video: null, audio: null, fps: null, keyframeInterval: null, drift: null };
    expect(factsOf(createSample({ ...emptyValues, transcodeSpeed: 0.871, lateness: 120 }))).toMatchObject({
      'Frame rate': 'No video',
      Keyframes: '–',
      Video: 'None',
      Audio: 'None',
      'Audio drift': '–',
      Renditions: '0.87× real time',
      'Published late by': '120 ms',
    });
    const surroundAudio = { codec: 'aac', sampleRate: 48_000, channels: 6 };
    expect(factsOf(createSample({ audio: surroundAudio, drift: -4 }))).toMatchObject({
      Audio: 'AAC 48 kHz 6 channels',
      'Audio drift': '-4 ms',
    });
  });
});

test('a chart has a gap where nothing was measured', () => {
  const samples = [0, 5_000, 10_000, 40_000].map((at) => createSample({ at, bitrate: 2_000_000, fps: 25 }));
  // Columns with Unix seconds, Mbit/s and frames per second; the gap is in the middle between 10 s and 40 s.
  expect(chartColumns(samples, 5_000)).toEqual([
    [0, 5, 10, 25, 40],
    [2, 2, 2, null, 2],
    [25, 25, 25, null, 25],
  ]);
});

test('a minute has averages and the longest keyframe interval, and the newest minute is first', () => {
  const samples = [
    createSample({ at: 1_000, bitrate: 1_000, fps: 20, keyframeInterval: 2 }),
    createSample({ at: 6_000, bitrate: 3_000, fps: null, keyframeInterval: 8 }),
    createSample({ at: 60_000, bitrate: 5_000, fps: null, keyframeInterval: null }),
  ];
  expect(healthMinutes(samples)).toEqual([
    { at: 60_000, bitrate: 5_000, fps: null, keyframeInterval: null },
    { at: 0, bitrate: 2_000, fps: 20, keyframeInterval: 8 },
  ]);
  expect(healthMinutes([])).toEqual([]);
});
