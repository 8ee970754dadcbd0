import type { HealthSample } from './health-sample';
import { hint } from './stream-issues';

/** One thing that may be wrong with a publish. */
export interface Symptom {
  /** How bad it is, more is worse; null when these samples cannot tell. The newest comes last. */
  readonly measure: (recent: readonly HealthSample[]) => number | null;
  /** From here on it is wrong … */
  readonly raise: number;
  /** … and below this it is well again; in between it stays what it was. */
  readonly clear: number;
  /** Consecutive samples until it is reported, and until it is withdrawn. */
  readonly after: number;
  readonly calm: number;
  /** What is wrong and what to do about it. @param worst the measure at its worst since it was raised */
  readonly sentence: (worst: number) => string;
}

/** Samples that are looked back on: a minute. */
export const lookBack = 12;
/** Fewer say nothing about steadiness. */
const enough = 6;

const newest = (recent: readonly HealthSample[]): HealthSample | undefined => recent.at(-1);

/** 0 or 1; unknown for a single track while nothing arrives. */
function arrives(recent: readonly HealthSample[], there: (sample: HealthSample) => boolean): number | null {
  const sample = newest(recent);
  return sample && sample.bitrate > 0 ? Number(!there(sample)) : null;
}

/** All symptoms, in the order they are reported. */
export const symptoms = {
  noPicture: {
    measure: (recent) => arrives(recent, ({ video, fps }) => video === null || fps !== 0),
    ...{ raise: 1, clear: 1, after: 1, calm: 1 },
    sentence: () => 'No video, only audio: check the video source of the encoder',
  },
  noSound: {
    measure: (recent) => arrives(recent, ({ audio, audioBitrate }) => audio === null || audioBitrate > 0),
    ...{ raise: 1, clear: 1, after: 2, calm: 1 },
    sentence: () => 'The audio stopped: check the audio source of the encoder',
  },
  /** Never announced: a camera without a microphone is as it should be. */
  silent: {
    measure: (recent) => arrives(recent, ({ audio }) => audio !== null),
    ...{ raise: 1, clear: 1, after: 2, calm: 1 },
    sentence: () =>
      hint(
        'the encoder sends no audio. Add an audio source, even a silent one: some players and platforms need it',
      ),
  },
  slowSource: {
    measure: (recent) => {
      const speeds = recent.slice(-enough).map(({ speed }) => speed);
      return speeds.length < 3 ? null : 1 - mean(speeds);
    },
    ...{ raise: 0.05, clear: 0.03, after: 1, calm: 2 },
    sentence: (worst) =>
      `Video arrives at ${percent(1 - worst)} of real time: lower the bitrate in the encoder, or check whether its CPU or the network is overloaded`,
  },
  slowRenditions: {
    measure: (recent) => {
      const speed = newest(recent)?.transcodeSpeed;
      return speed === null || speed === undefined ? 0 : 1 - speed;
    },
    ...{ raise: 0.05, clear: 0.03, after: 3, calm: 2 },
    sentence: (worst) =>
      `Transcoding runs at ${percent(1 - worst)} of real time: this machine is too slow; use fewer or smaller renditions`,
  },
  longGop: {
    measure: (recent) => newest(recent)?.keyframeInterval ?? null,
    ...{ raise: 4.1, clear: 4.1, after: 1, calm: 2 },
    sentence: (worst) =>
      `Keyframes every ${Math.round(worst)} s: set OBS Keyframe Interval to 2 s (ffmpeg: -g at twice the frame rate); viewers start late until then`,
  },
  shortGop: {
    measure: (recent) => {
      const interval = newest(recent)?.keyframeInterval ?? null;
      return interval === null ? null : 1 / Math.max(interval, 0.001);
    },
    // Sound of 23 ms, or pictures of 40 ms, make a second a little shorter.
    ...{ raise: 1.1, clear: 1.1, after: 3, calm: 2 },
    sentence: (worst) =>
      `Keyframes every ${factor(1 / worst)} s: set OBS Keyframe Interval to 2 s; frequent keyframes reduce quality at the same bitrate`,
  },
  unsteadyBitrate: {
    measure: (recent) => (recent.length < enough ? null : unsteadiness(recent.map(({ bitrate }) => bitrate))),
    ...{ raise: 0.4, clear: 0.3, after: 2, calm: 2 },
    sentence: () =>
      'The bitrate swings widely: set the encoder to constant bitrate (CBR), below what the upload can carry',
  },
  reordering: {
    measure: (recent) => newest(recent)?.reorder ?? null,
    ...{ raise: 500, clear: 400, after: 2, calm: 2 },
    sentence: (worst) =>
      `B-frames delay the video by ${factor(worst / 1_000)} s: set B-frames to 2 or fewer in the encoder`,
  },
  jumps: {
    measure: (recent) => recent.reduce((sum, { jumps }) => sum + jumps, 0),
    ...{ raise: 1, clear: 1, after: 1, calm: 1 },
    sentence: (worst) =>
      `Timestamps jumped ${worst === 1 ? 'once' : `${worst} times`} within a minute: viewers see a cut each time; restart the encoder, and give looped files new timestamps`,
  },
  drift: {
    measure: (recent) => Math.abs(newest(recent)?.drift ?? 0),
    ...{ raise: 250, clear: 150, after: 3, calm: 2 },
    sentence: (worst) =>
      `Audio and video drift apart, ${factor(worst / 1_000)} s so far: use the same clock for both in the encoder, then restart it`,
  },
} as const satisfies Record<string, Symptom>;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Standard deviation in relation to the mean. */
function unsteadiness(values: readonly number[]): number {
  const middle = mean(values);
  if (middle === 0) return 0;
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2))) / middle;
}

/** One digit that matters, and no "0.0". */
const factor = (value: number): string => Math.max(0, value).toFixed(1);

const percent = (value: number): string => `${Math.round(Math.max(0, value) * 100)} %`;
