import { formatFactor, mean, formatPercent, variationCoefficient } from './doctor-figures';
import type { HealthSample } from './health-sample';

export type { HealthSample } from './health-sample';

const hintPrefix = 'Hint: ';

/** Formats an issue that may be intended. A hint is reported, but the stream stays healthy. */
export const formatHint = (message: string): string => `${hintPrefix}${message}`;

/** Whether an issue is a hint. */
export const isHint = (issue: string): boolean => issue.startsWith(hintPrefix);

/** The issue of a stream that lost the connection to its encoder and stays active for the reconnect window. */
export const reconnectingIssue =
  'Reconnecting: the connection to the encoder was lost; the stream goes idle if it does not come back';

/** The field `issues` of the API from the issues in the database: null if there are none. */
export const issuesOrNull = (issues: readonly string[]): string[] | null =>
  issues.length > 0 ? [...issues] : null;

/** Whether a live stream with these issues is healthy: it has only hints. */
export const isHealthyWith = (issues: readonly string[]): boolean => issues.every(isHint);

interface Thresholds {
  /** The symptom is raised if its measure is at least this. */
  readonly raise: number;
  /** The symptom is withdrawn if its measure is below this. Between the two thresholds it does not change. */
  readonly clear: number;
  /** Number of consecutive samples after which the symptom is raised. */
  readonly raiseSamples: number;
  /** Number of consecutive samples after which the symptom is withdrawn. */
  readonly clearSamples: number;
}

interface Symptom {
  /** Returns the severity, which is higher if worse; null if the samples are not conclusive. The newest sample is last. */
  readonly measure: (recent: readonly HealthSample[]) => number | null;
  readonly thresholds: Thresholds;
  /**
   * Returns the problem and its remedy.
   * @param worst highest measure since the symptom was raised
   */
  readonly message: (worst: number) => string;
}

/** Number of samples that are kept: those of one minute, as a sample is taken every five seconds. */
const MAX_RECENT_SAMPLES = 12;
/** Minimum number of samples for a measure of steadiness. */
const MIN_SAMPLES = 6;

/**
 * Bits per pixel that moving pictures need for good quality. With H.264, these are 4 Mbit/s at 1080p30 and 1.7 Mbit/s at
 * 720p30.
 */
const enoughBitsPerPixel: Readonly<Record<string, number>> = { h264: 0.06, hevc: 0.036, av1: 0.03 };

const newestSample = (recent: readonly HealthSample[]): HealthSample | undefined => recent.at(-1);

/** 1 if a track is missing in the newest sample, 0 if not; null if the sample has no media at all. */
function missingTrackMeasure(
  recent: readonly HealthSample[],
  isPresent: (sample: HealthSample) => boolean,
): number | null {
  const sample = newestSample(recent);
  return sample && sample.bitrate > 0 ? Number(!isPresent(sample)) : null;
}

/** 1 if the video has this codec and there are no renditions with another codec, 0 if not; null without video. */
function codecWithoutRenditions(recent: readonly HealthSample[], codec: string): number | null {
  const sample = newestSample(recent);
  return sample?.video ? Number(sample.video.codec === codec && sample.transcodeSpeed === null) : null;
}

/**
 * All symptoms, in reporting order. Measures: longGop in seconds, shortGop in keyframes per second, reordering and drift in ms.
 */
const symptoms = {
  noVideo: {
    measure: (recent) => missingTrackMeasure(recent, ({ video, fps }) => video === null || fps !== 0),
    thresholds: { raise: 1, clear: 1, raiseSamples: 1, clearSamples: 1 },
    message: () => 'No video, only audio: check the video source of the encoder',
  },
  audioStopped: {
    measure: (recent) =>
      missingTrackMeasure(recent, ({ audio, audioBitrate }) => audio === null || audioBitrate > 0),
    thresholds: { raise: 1, clear: 1, raiseSamples: 2, clearSamples: 1 },
    message: () => 'The audio stopped: check the audio source of the encoder',
  },
  /** The encoder has no audio track, which is normal for a camera without a microphone. */
  noAudioTrack: {
    measure: (recent) => missingTrackMeasure(recent, ({ audio }) => audio !== null),
    thresholds: { raise: 1, clear: 1, raiseSamples: 2, clearSamples: 1 },
    message: () =>
      formatHint(
        'the encoder sends no audio. Add an audio source, even a silent one: some players and platforms need it',
      ),
  },
  /** Viewers whose browser can't decode HEVC need an H.264 rendition. */
  hevcAlone: {
    measure: (recent) => codecWithoutRenditions(recent, 'hevc'),
    thresholds: { raise: 1, clear: 1, raiseSamples: 3, clearSamples: 1 },
    message: () =>
      formatHint(
        'the encoder sends HEVC. Safari plays it, Chrome, Edge and Firefox only on some devices: add a profile to offer H.264 to the others',
      ),
  },
  av1Alone: {
    measure: (recent) => codecWithoutRenditions(recent, 'av1'),
    thresholds: { raise: 1, clear: 1, raiseSamples: 3, clearSamples: 1 },
    message: () =>
      formatHint(
        'the encoder sends AV1. Chrome, Edge and Firefox play it, Safari only on newer devices: add a profile to offer H.264 to the others',
      ),
  },
  slowSource: {
    measure: (recent) => {
      const speeds = recent.slice(-MIN_SAMPLES).map(({ speed }) => speed);
      return speeds.length < 3 ? null : 1 - mean(speeds);
    },
    thresholds: { raise: 0.05, clear: 0.03, raiseSamples: 1, clearSamples: 2 },
    message: (worst) =>
      `Video arrives at ${formatPercent(1 - worst)} of real time: lower the bitrate in the encoder, or check whether its CPU or the network is overloaded`,
  },
  slowRenditions: {
    measure: (recent) => {
      const speed = newestSample(recent)?.transcodeSpeed;
      return speed === null || speed === undefined ? 0 : 1 - speed;
    },
    thresholds: { raise: 0.05, clear: 0.03, raiseSamples: 3, clearSamples: 2 },
    message: (worst) =>
      `Transcoding runs at ${formatPercent(1 - worst)} of real time: this machine is too slow; use fewer or smaller renditions`,
  },
  longGop: {
    measure: (recent) => newestSample(recent)?.keyframeInterval ?? null,
    // Four seconds are accepted, and an interval may be a few frames longer.
    thresholds: { raise: 4.1, clear: 4.1, raiseSamples: 1, clearSamples: 2 },
    message: (worst) =>
      `Keyframes every ${Math.round(worst)} s: set OBS Keyframe Interval to 2 s (ffmpeg: -g at twice the frame rate); viewers start late until then`,
  },
  shortGop: {
    measure: (recent) => {
      const interval = newestSample(recent)?.keyframeInterval ?? null;
      return interval === null ? null : 1 / Math.max(interval, 0.001);
    },
    // An interval of a second may be a few frames shorter.
    thresholds: { raise: 1.1, clear: 1.1, raiseSamples: 3, clearSamples: 2 },
    message: (worst) =>
      `Keyframes every ${formatFactor(1 / worst)} s: set OBS Keyframe Interval to 2 s; frequent keyframes reduce quality at the same bitrate`,
  },
  unsteadyBitrate: {
    measure: (recent) =>
      recent.length < MIN_SAMPLES ? null : variationCoefficient(recent.map(({ bitrate }) => bitrate)),
    thresholds: { raise: 0.4, clear: 0.3, raiseSamples: 2, clearSamples: 2 },
    message: () =>
      'The bitrate swings widely: set the encoder to constant bitrate (CBR), below what the upload can carry',
  },
  /** The bitrate may be intended, because a still picture needs no higher one. */
  lowBitrate: {
    measure: (recent) => {
      const { video, fps, videoBitrate } = newestSample(recent) ?? {};
      if (!video || !fps || !videoBitrate) return null;
      const bitsPerPixel = enoughBitsPerPixel[video.codec] ?? 0;
      return (bitsPerPixel * video.width * video.height * fps) / videoBitrate;
    },
    // Raised if the bitrate is less than a third of a sufficient one for half a minute.
    thresholds: { raise: 3, clear: 2.5, raiseSamples: 6, clearSamples: 3 },
    message: (worst) =>
      formatHint(
        `too few bits for this picture size, so the picture may look blocky: raise the bitrate about ${formatFactor(worst)} times, or send a smaller picture`,
      ),
  },
  reordering: {
    measure: (recent) => newestSample(recent)?.reorder ?? null,
    thresholds: { raise: 500, clear: 400, raiseSamples: 2, clearSamples: 2 },
    message: (worst) =>
      `B-frames delay the video by ${formatFactor(worst / 1_000)} s: set B-frames to 2 or fewer in the encoder`,
  },
  jumps: {
    measure: (recent) => recent.reduce((sum, { jumps }) => sum + jumps, 0),
    thresholds: { raise: 1, clear: 1, raiseSamples: 1, clearSamples: 1 },
    message: (worst) =>
      `Timestamps jumped ${worst === 1 ? 'once' : `${worst} times`} within a minute: viewers may notice it; restart the encoder, and give looped files new timestamps`,
  },
  drift: {
    measure: (recent) => Math.abs(newestSample(recent)?.drift ?? 0),
    thresholds: { raise: 250, clear: 150, raiseSamples: 3, clearSamples: 2 },
    message: (worst) =>
      `Audio and video drift apart, ${formatFactor(worst / 1_000)} s so far: use the same clock for both in the encoder, then restart it`,
  },
} as const satisfies Record<string, Symptom>;

type SymptomName = keyof typeof symptoms;

interface SymptomState {
  /** Number of consecutive samples that indicate a change. */
  readonly count: number;
  /** The worst measure since the symptom was raised; null while it is not raised. */
  readonly worst: number | null;
}

/** The state of the diagnosis of a publish. */
export interface DoctorState {
  readonly recentSamples: readonly HealthSample[];
  readonly symptoms: Readonly<Partial<Record<SymptomName, SymptomState>>>;
}

export const initialDoctorState: DoctorState = { recentSamples: [], symptoms: {} };

const symptomNames = Object.keys(symptoms) as SymptomName[];
const noSymptom: SymptomState = { count: 0, worst: null };

/**
 * Adds a sample to the diagnosis. Most symptoms are raised after several consecutive samples, and withdrawn after several
 * better ones, to avoid flapping.
 */
export function addHealthSample(state: DoctorState, sample: HealthSample): DoctorState {
  const recent = [...state.recentSamples, sample].slice(-MAX_RECENT_SAMPLES);
  const symptomStates = Object.fromEntries(
    symptomNames.map((name) => [
      name,
      nextSymptomState(state.symptoms[name] ?? noSymptom, symptoms[name], recent),
    ]),
  );
  return { recentSamples: recent, symptoms: symptomStates };
}

/** The current issues, each with its remedy. */
export function issuesOf({ symptoms: symptomStates }: DoctorState): string[] {
  return symptomNames.flatMap((name) => {
    const worst = symptomStates[name]?.worst ?? null;
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
