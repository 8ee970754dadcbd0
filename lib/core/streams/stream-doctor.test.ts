import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DoctorState,
  type HealthSample,
  addHealthSample,
  isHealthyWith,
  formatHint,
  initialDoctorState,
  issuesOf,
} from './stream-doctor';

const healthySample: HealthSample = {
  bitrate: 2_128_000,
  videoBitrate: 2_000_000,
  audioBitrate: 128_000,
  video: { codec: 'h264', width: 1280, height: 720 },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
  fps: 30,
  keyframeInterval: 2,
  reorder: 66,
  jumps: 0,
  drift: 4,
  speed: 1,
  transcodeSpeed: 1,
  lateness: 0,
  silence: 0,
};

const hevc = { video: { codec: 'hevc', width: 1280, height: 720 } };

type Change = Partial<HealthSample>;

function stateAfter(samples: readonly Change[], from: DoctorState = initialDoctorState): DoctorState {
  return samples.reduce<DoctorState>(
    (state, change) => addHealthSample(state, { ...healthySample, ...change }),
    from,
  );
}
const issueTextOf = (samples: readonly Change[], from?: DoctorState) =>
  issuesOf(stateAfter(samples, from)).join(' | ');
const repeatSample = (count: number, change: Change = {}): Change[] =>
  Array.from({ length: count }, () => change);
/** Bitrates around the same mean. */
const swingingBitrates = (count: number, fraction: number): Change[] =>
  Array.from({ length: count }, (_, index) => ({
    bitrate: 2_000_000 * (index % 2 === 0 ? 1 + fraction : 1 - fraction),
  }));

describe('healthy publish', () => {
  test.each<[string, Change[]]>([
    ['no sample', []],
    ['an hour of good samples', repeatSample(720)],
    ['keyframes every second', repeatSample(20, { keyframeInterval: 1 })],
    ['keyframes every four seconds', repeatSample(20, { keyframeInterval: 4 })],
    ['an unknown keyframe interval', repeatSample(20, { keyframeInterval: null })],
    ['a low bitrate', repeatSample(20, { videoBitrate: 700_000 })],
    ['an unknown picture size', repeatSample(20, { videoBitrate: 70_000, video: null })],
    ['HEVC beside H.264', repeatSample(20, hevc)],
    ['no renditions', repeatSample(20, { transcodeSpeed: null })],
    ['three B-frames', repeatSample(20, { reorder: 133 })],
    ['a bitrate that varies by a quarter', swingingBitrates(20, 0.25)],
    ['bursts after a delay', [...repeatSample(4), { speed: 0.7 }, { speed: 1.3 }, ...repeatSample(4)]],
    ['no media for five seconds', [...repeatSample(6), { bitrate: 0, audioBitrate: 0, fps: 0 }]],
  ])('%s has no issues', (_name, samples) => {
    expect(issueTextOf(samples)).toBe('');
  });
});

describe('issues of a publish', () => {
  test.each<[string, Change[], string]>([
    ['long GOP', [{ keyframeInterval: 8.33 }], 'Keyframes every 8 s: set OBS Keyframe Interval to 2 s'],
    [
      'short GOP',
      repeatSample(3, { keyframeInterval: 0.5 }),
      'Keyframes every 0.5 s: set OBS Keyframe Interval',
    ],
    ['unsteady bitrate', swingingBitrates(8, 0.6), 'constant bitrate (CBR)'],
    ['slow source', repeatSample(6, { speed: 0.8 }), 'Video arrives at 80 % of real time'],
    ['slow renditions', repeatSample(3, { transcodeSpeed: 0.72 }), 'Transcoding runs at 72 % of real time'],
    ['no audio', repeatSample(2, { audioBitrate: 0, audio: null }), 'Hint: the encoder sends no audio'],
    [
      'HEVC only',
      repeatSample(3, { ...hevc, transcodeSpeed: null }),
      'Hint: the encoder sends HEVC. Safari plays it',
    ],
    [
      'AV1 only',
      repeatSample(3, { video: { ...hevc.video, codec: 'av1' }, transcodeSpeed: null }),
      'Hint: the encoder sends AV1.',
    ],
    ['audio that stopped', repeatSample(2, { audioBitrate: 0 }), 'The audio stopped: check the audio source'],
    ['no video', [{ fps: 0, videoBitrate: 0, bitrate: 128_000 }], 'No video, only audio'],
    ['huge reordering', repeatSample(2, { reorder: 900 }), 'B-frames delay the video by 0.9 s'],
    [
      'a too low bitrate',
      repeatSample(6, { videoBitrate: 300_000 }),
      'Hint: too few bits for this picture size, so the picture may look blocky: raise the bitrate about 5.5 times',
    ],
    ['a jump', [{ jumps: 1 }], 'Timestamps jumped once'],
    ['jumps', [{ jumps: 1 }, {}, { jumps: 2 }], 'Timestamps jumped 3 times within a minute'],
    ['drift', repeatSample(3, { drift: -420 }), 'Audio and video drift apart, 0.4 s so far'],
  ])('are reported about %s: $2', (_name, samples, message) => {
    expect(issueTextOf([...repeatSample(3), ...samples])).toContain(message);
  });

  test('a stream without audio is healthy, but not one whose audio stopped', () => {
    const silent = issuesOf(stateAfter(repeatSample(3, { audioBitrate: 0, audio: null })));
    expect([silent.length, isHealthyWith(silent)]).toEqual([1, true]);
    const stoppedIssues = issuesOf(stateAfter([...repeatSample(3), ...repeatSample(3, { audioBitrate: 0 })]));
    expect([stoppedIssues.length, isHealthyWith(stoppedIssues)]).toEqual([1, false]);
  });

  test.each<[string, Change[]]>([
    ['missing audio in one sample', [{ audioBitrate: 0 }]],
    ['slow renditions in two samples', repeatSample(2, { transcodeSpeed: 0.5 })],
    ['drift in two samples', repeatSample(2, { drift: 900 })],
  ])('%s is not enough for an issue', (_name, samples) => {
    expect(issueTextOf([...repeatSample(3), ...samples])).toBe('');
  });
});

describe('reported issues', () => {
  test('are withdrawn after several good samples', () => {
    const raisedState = stateAfter([{ keyframeInterval: 10 }]);
    expect(issueTextOf(repeatSample(1), raisedState)).not.toBe('');
    expect(
      issueTextOf([...repeatSample(1), { keyframeInterval: 10 }, ...repeatSample(1)], raisedState),
    ).not.toBe('');
    expect(issueTextOf(repeatSample(2), raisedState)).toBe('');
  });

  test('keep their worst measure, so that the message does not change', () => {
    const raisedState = stateAfter([{ keyframeInterval: 8 }, { keyframeInterval: 10 }]);
    expect(issueTextOf([{ keyframeInterval: 7 }], raisedState)).toContain('every 10 s');
  });

  test('stay while the measure is between the two thresholds', () => {
    const raisedState = stateAfter(repeatSample(3, { drift: 300 }));
    expect(issueTextOf(repeatSample(10, { drift: 200 }), raisedState)).not.toBe('');
    expect(issueTextOf(repeatSample(10, { drift: 100 }), raisedState)).toBe('');
    expect(issueTextOf(repeatSample(10, { drift: 200 }))).toBe('');
  });

  test('a jump is withdrawn after a minute', () => {
    const jumpedState = stateAfter([{ jumps: 1 }]);
    expect(issueTextOf(repeatSample(11), jumpedState)).not.toBe('');
    expect(issueTextOf(repeatSample(12), jumpedState)).toBe('');
  });
});

test('for any measurements, a long GOP stays an issue after one good sample, issues are unique, and a minute is kept', () => {
  const sample = fc.record({
    keyframeInterval: fc.constantFrom(null, 0.4, 2, 3.9, 4.2, 9),
    transcodeSpeed: fc.constantFrom(null, 0.5, 0.96, 1),
    audioBitrate: fc.constantFrom(0, 128_000),
    reorder: fc.constantFrom(0, 450, 900),
    drift: fc.constantFrom(null, 0, 200, -400),
  });
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 60 }), (samples) => {
      let state = initialDoctorState;
      let wasGopLong = false;
      let lastChangeIndex = -Infinity;
      for (const [index, change] of samples.entries()) {
        state = addHealthSample(state, { ...healthySample, ...change });
        const isGopLong = issuesOf(state).some(
          (issue) => issue.startsWith('Keyframes every 4 s') || issue.startsWith('Keyframes every 9 s'),
        );
        // The issue is reported immediately, but not withdrawn after a single good sample.
        if (isGopLong !== wasGopLong && !isGopLong) expect(index - lastChangeIndex).toBeGreaterThanOrEqual(2);
        if (isGopLong !== wasGopLong) lastChangeIndex = index;
        wasGopLong = isGopLong;
        expect(state.recentSamples.length).toBeLessThanOrEqual(12);
        expect(new Set(issuesOf(state)).size).toBe(issuesOf(state).length);
      }
    }),
  );
});

test.each<[readonly string[], boolean]>([
  [[], true],
  [[formatHint('no sound')], true],
  [['no sound'], false],
  [[formatHint('no sound'), 'keyframes every 8 s'], false],
])('a stream with the issues %j is healthy: %s', (issues, isHealthy) => {
  expect(isHealthyWith(issues)).toBe(isHealthy);
});
