import { factor, mean, percent, variationCoefficient } from './doctor-figures';
import type { HealthSample } from './health-sample';

export type { HealthSample } from './health-sample';

const hintMark = 'Hint: ';

/** Marks an issue that may be intended: it is reported, but the stream stays healthy. */
export const hint = (message: string): string => `${hintMark}${message}`;

export const isHint = (issue: string): boolean => issue.startsWith(hintMark);

/** The connection to the encoder was lost; the stream stays active for the reconnect window. */
export const reconnecting =
  'Reconnecting: the connection to the encoder was lost; the stream goes idle if it does not come back';

/** The API's `issues` from those of the row. */
export const issuesOrNull = (issues: readonly string[]): string[] | null =>
  issues.length > 0 ? [...issues] : null;

/** `isHealthy` of a live stream, derived from its `issues`. */
export const healthyWith = (issues: readonly string[]): boolean => issues.every(isHint);

interface Thresholds {
  /** A symptom is raised from this measure on. */
  readonly raise: number;
  /** A symptom is withdrawn below this measure. Between the two thresholds it does not change. */
  readonly clear: number;
  /** Consecutive samples before a symptom is raised. */
  readonly raiseSamples: number;
  /** Consecutive samples before a symptom is withdrawn. */
  readonly clearSamples: number;
}

interface Symptom {
  /** Severity, higher is worse; null if these samples are not conclusive. The newest sample is last. */
  readonly measure: (recent: readonly HealthSample[]) => number | null;
  readonly thresholds: Thresholds;
  /** The problem and its remedy. @param worst measure since the symptom was raised */
  readonly message: (worst: number) => string;
}

/** Number of samples in one minute. */
const windowSamples = 12;
/** Fewer samples are not conclusive about steadiness. */
const minSamples = 6;

/** Bits per pixel of moving pictures at good quality. H.264: 4 Mbit/s at 1080p30, 1.7 Mbit/s at 720p30. */
const enoughBitsPerPixel: Readonly<Record<string, number>> = { h264: 0.06, hevc: 0.036, av1: 0.03 };

const newest = (recent: readonly HealthSample[]): HealthSample | undefined => recent.at(-1);

/** 0 or 1; null for a single track without media. */
function missingTrack(
  recent: readonly HealthSample[],
  isPresent: (sample: HealthSample) => boolean,
): number | null {
  const sample = newest(recent);
  return sample && sample.bitrate > 0 ? Number(!isPresent(sample)) : null;
}

/** 0 or 1; null without video. */
function usesOnlyCodec(recent: readonly HealthSample[], codec: string): number | null {
  const sample = newest(recent);
  return sample?.video ? Number(sample.video.codec === codec && sample.transcodeSpeed === null) : null;
}

/** All symptoms, in the order of reporting. */
const symptoms = {
  noVideo: {
    measure: (recent) => missingTrack(recent, ({ video, fps }) => video === null || fps !== 0),
    thresholds: { raise: 1, clear: 1, raiseSamples: 1, clearSamples: 1 },
    message: () => 'No video, only audio: check the video source of the encoder',
  },
  noAudio: {
    measure: (recent) =>
      missingTrack(recent, ({ audio, audioBitrate }) => audio === null || audioBitrate > 0),
    thresholds: { raise: 1, clear: 1, raiseSamples: 2, clearSamples: 1 },
    message: () => 'The audio stopped: check the audio source of the encoder',
  },
  /** No audio track was announced: normal for a camera without a microphone. */
  silent: {
    measure: (recent) => missingTrack(recent, ({ audio }) => audio !== null),
    thresholds: { raise: 1, clear: 1, raiseSamples: 2, clearSamples: 1 },
    message: () =>
      hint(
        'the encoder sends no audio. Add an audio source, even a silent one: some players and platforms need it',
      ),
  },
  /** Viewers without HEVC need an H.264 rendition. */
  hevcAlone: {
    measure: (recent) => usesOnlyCodec(recent, 'hevc'),
    thresholds: { raise: 1, clear: 1, raiseSamples: 3, clearSamples: 1 },
    message: () =>
      hint(
        'the encoder sends HEVC. Safari plays it, Chrome, Edge and Firefox only on some devices: add a profile to offer H.264 to the others',
      ),
  },
  av1Alone: {
    measure: (recent) => usesOnlyCodec(recent, 'av1'),
    thresholds: { raise: 1, clear: 1, raiseSamples: 3, clearSamples: 1 },
    message: () =>
      hint(
        'the encoder sends AV1. Chrome, Edge and Firefox play it, Safari only on newer devices: add a profile to offer H.264 to the others',
      ),
  },
  slowSource: {
    measure: (recent) => {
      const speeds = recent.slice(-minSamples).map(({ speed }) => speed);
      return speeds.length < 3 ? null : 1 - mean(speeds);
    },
    thresholds: { raise: 0.05, clear: 0.03, raiseSamples: 1, clearSamples: 2 },
    message: (worst) =>
      `Video arrives at ${percent(1 - worst)} of real time: lower the bitrate in the encoder, or check whether its CPU or the network is overloaded`,
  },
  slowRenditions: {
    measure: (recent) => {
      const speed = newest(recent)?.transcodeSpeed;
      return speed === null || speed === undefined ? 0 : 1 - speed;
    },
    thresholds: { raise: 0.05, clear: 0.03, raiseSamples: 3, clearSamples: 2 },
    message: (worst) =>
      `Transcoding runs at ${percent(1 - worst)} of real time: this machine is too slow; use fewer or smaller renditions`,
  },
  longGop: {
    measure: (recent) => newest(recent)?.keyframeInterval ?? null,
    thresholds: { raise: 4.1, clear: 4.1, raiseSamples: 1, clearSamples: 2 },
    message: (worst) =>
      `Keyframes every ${Math.round(worst)} s: set OBS Keyframe Interval to 2 s (ffmpeg: -g at twice the frame rate); viewers start late until then`,
  },
  shortGop: {
    measure: (recent) => {
      const interval = newest(recent)?.keyframeInterval ?? null;
      return interval === null ? null : 1 / Math.max(interval, 0.001);
    },
    // Audio frames of 23 ms or video frames of 40 ms make a second slightly shorter.
    thresholds: { raise: 1.1, clear: 1.1, raiseSamples: 3, clearSamples: 2 },
    message: (worst) =>
      `Keyframes every ${factor(1 / worst)} s: set OBS Keyframe Interval to 2 s; frequent keyframes reduce quality at the same bitrate`,
  },
  unsteadyBitrate: {
    measure: (recent) =>
      recent.length < minSamples ? null : variationCoefficient(recent.map(({ bitrate }) => bitrate)),
    thresholds: { raise: 0.4, clear: 0.3, raiseSamples: 2, clearSamples: 2 },
    message: () =>
      'The bitrate swings widely: set the encoder to constant bitrate (CBR), below what the upload can carry',
  },
  /** A still picture needs no more, so the bitrate may be intended. */
  lowBitrate: {
    measure: (recent) => {
      const { video, fps, videoBitrate } = newest(recent) ?? {};
      if (!video || !fps || !videoBitrate) return null;
      const bits = enoughBitsPerPixel[video.codec] ?? 0;
      return (bits * video.width * video.height * fps) / videoBitrate;
    },
    // Less than a third of a sufficient bitrate, for half a minute.
    thresholds: { raise: 3, clear: 2.5, raiseSamples: 6, clearSamples: 3 },
    message: (worst) =>
      hint(
        `too few bits for this picture size, so the picture may look blocky: raise the bitrate about ${factor(worst)} times, or send a smaller picture`,
      ),
  },
  reordering: {
    measure: (recent) => newest(recent)?.reorder ?? null,
    thresholds: { raise: 500, clear: 400, raiseSamples: 2, clearSamples: 2 },
    message: (worst) =>
      `B-frames delay the video by ${factor(worst / 1_000)} s: set B-frames to 2 or fewer in the encoder`,
  },
  jumps: {
    measure: (recent) => recent.reduce((sum, { jumps }) => sum + jumps, 0),
    thresholds: { raise: 1, clear: 1, raiseSamples: 1, clearSamples: 1 },
    message: (worst) =>
      `Timestamps jumped ${worst === 1 ? 'once' : `${worst} times`} within a minute: viewers may notice it; restart the encoder, and give looped files new timestamps`,
  },
  drift: {
    measure: (recent) => Math.abs(newest(recent)?.drift ?? 0),
    thresholds: { raise: 250, clear: 150, raiseSamples: 3, clearSamples: 2 },
    message: (worst) =>
      `Audio and video drift apart, ${factor(worst / 1_000)} s so far: use the same clock for both in the encoder, then restart it`,
  },
} as const satisfies Record<string, Symptom>;

type SymptomName = keyof typeof symptoms;

interface SymptomState {
  /** Consecutive samples that indicate a change. */
  readonly count: number;
  /** Null while healthy; otherwise the worst measure since it was raised. */
  readonly worst: number | null;
}

/** State of the diagnosis of a publish. */
export interface DoctorState {
  readonly recent: readonly HealthSample[];
  readonly signs: Readonly<Partial<Record<SymptomName, SymptomState>>>;
}

export const initialDoctorState: DoctorState = { recent: [], signs: {} };

const names = Object.keys(symptoms) as SymptomName[];
const noSymptom: SymptomState = { count: 0, worst: null };

/**
 * Adds a sample. A symptom is raised after several consecutive samples and withdrawn after several clearly better ones,
 * to avoid flapping.
 */
export function examine(state: DoctorState, sample: HealthSample): DoctorState {
  const recent = [...state.recent, sample].slice(-windowSamples);
  const signs = Object.fromEntries(
    names.map((name) => [name, nextSymptomState(state.signs[name] ?? noSymptom, symptoms[name], recent)]),
  );
  return { recent, signs };
}

/** The current issues, each with its remedy. */
export function issuesOf({ signs }: DoctorState): string[] {
  return names.flatMap((name) => {
    const worst = signs[name]?.worst ?? null;
    return worst === null ? [] : [symptoms[name].message(worst)];
  });
}

function nextSymptomState(
  { count, worst }: SymptomState,
  symptom: Symptom,
  recent: readonly HealthSample[],
): SymptomState {
  const measurement = symptom.measure(recent);
  const { raise, clear, raiseSamples, clearSamples } = symptom.thresholds;
  if (measurement === null) return { count, worst };
  if (worst === null) {
    if (measurement < raise) return noSymptom;
    return count + 1 < raiseSamples ? { count: count + 1, worst } : { count: 0, worst: measurement };
  }
  if (measurement >= clear) return { count: 0, worst: Math.max(worst, measurement) };
  return count + 1 < clearSamples ? { count: count + 1, worst } : noSymptom;
}
