/** Measurements of one minute in which viewers of a stream, recording or asset stalled. */
export interface StallFacts {
  readonly stalls: number;
  /** Stalls in which the connection of the viewer was too slow. */
  readonly slowStalls: number;
  /** Stalls of viewers whose edge waited for its origin. */
  readonly edgeStalls: number;
  /** How long the machines that serve the viewers had no CPU time left, in milliseconds. */
  readonly overloadedMs: number;
  /** State of the encoder; null for recordings and assets. */
  readonly encoder: EncoderFacts | null;
}

export interface EncoderFacts {
  /** Time without media in milliseconds: the sum of all times, or the longest silence of a sample if it is longer. */
  readonly silentMs: number;
  /** Lowest ratio of received media time to real time; null without measurements. */
  readonly speed: number | null;
  /** Encoding speed of the slowest rendition, relative to real time. */
  readonly transcodeSpeed: number | null;
  /** Maximum time by which media was published later than it was due, in milliseconds; null without measurements. */
  readonly lateMs: number | null;
  /** Whether the program switched to another input. */
  readonly hasSwitchedInput: boolean;
}

export const stallCauses = [
  'encoder_silent',
  'input_switched',
  'source_slow',
  'transcode_slow',
  'server_overloaded',
  'published_late',
  'edge_miss',
  'viewer_connection',
  'unknown',
] as const;
export type StallCause = (typeof stallCauses)[number];

/** Silence of the encoder from which it is the cause: the usual buffer of a low-latency player. */
const MIN_SILENT_MS = 2_000;
/** Ratio to real time below which the encoder or a rendition is the cause. */
const MIN_SPEED = 0.9;
/** Time without CPU, in one minute, from which it is the cause. */
const MIN_OVERLOADED_MS = 10_000;
/** Lateness from which it is the cause: about as much media as a player close to the live edge has buffered. */
const MIN_LATE_MS = 1_000;

const isAtLeastHalf = (part: number, total: number): boolean => part * 2 >= total;

/**
 * The causes in the order in which they are checked: the first matching row applies. The last function of a row returns the
 * severity, as milliseconds or as a ratio to real time.
 */
const causeTable: readonly (readonly [
  StallCause,
  (facts: StallFacts) => boolean,
  (facts: StallFacts) => number | null,
])[] = [
  // A switch follows a gap, and is the cause that users recognize.
  [
    'input_switched',
    ({ encoder }) => encoder?.hasSwitchedInput ?? false,
    ({ encoder }) => encoder?.silentMs ?? null,
  ],
  [
    'encoder_silent',
    ({ encoder }) => encoder !== null && encoder.silentMs >= MIN_SILENT_MS,
    ({ encoder }) => encoder?.silentMs ?? null,
  ],
  [
    'source_slow',
    ({ encoder }) => (encoder?.speed ?? 1) < MIN_SPEED,
    ({ encoder }) => encoder?.speed ?? null,
  ],
  [
    'transcode_slow',
    ({ encoder }) => (encoder?.transcodeSpeed ?? 1) < MIN_SPEED,
    ({ encoder }) => encoder?.transcodeSpeed ?? null,
  ],
  [
    'server_overloaded',
    ({ overloadedMs }) => overloadedMs >= MIN_OVERLOADED_MS,
    (facts) => facts.overloadedMs,
  ],
  // The causes above make media late as well, and are more exact.
  [
    'published_late',
    ({ encoder }) => (encoder?.lateMs ?? 0) >= MIN_LATE_MS,
    ({ encoder }) => encoder?.lateMs ?? null,
  ],
  // A viewer behind a waiting edge measures a slow connection.
  ['edge_miss', ({ stalls, edgeStalls }) => isAtLeastHalf(edgeStalls, stalls), () => null],
  ['viewer_connection', ({ stalls, slowStalls }) => isAtLeastHalf(slowStalls, stalls), () => null],
];

/** Determines the cause of the stalls in a minute, and the severity of the cause. */
export function explainStall(facts: StallFacts): {
  readonly cause: StallCause;
  readonly measure: number | null;
} {
  const causeRow = causeTable.find(([, applies]) => applies(facts));
  return causeRow ? { cause: causeRow[0], measure: causeRow[2](facts) } : { cause: 'unknown', measure: null };
}

/** A sample of the encoder, taken every five seconds while it is connected. */
export interface EncoderSample {
  /** Unix milliseconds. */
  readonly takenAtMs: number;
  /** Bits per second; 0 if no media arrived. */
  readonly bitrate: number;
  /** Ratio of received media time to real time. */
  readonly speed: number;
  /** Encoding speed of the slowest rendition, relative to real time; null without renditions. */
  readonly transcodeSpeed: number | null;
  /** Maximum time by which media was published later than it was due, in milliseconds. */
  readonly latenessMs: number | null;
  /** Longest time without media, in milliseconds. */
  readonly silenceMs: number | null;
}

/** Time between two samples of the encoder. */
const SAMPLE_INTERVAL_MS = 5_000;
/** Tolerance for samples that are late because the machine is busy. */
const SAMPLE_TOLERANCE_MS = 2_500;

/**
 * Summarizes the encoder samples of a period.
 * @param samples samples in the order of time; they start before the period and end after it, so that gaps at its edges
 * count
 * @param hasSwitchedInput whether the program switched to another input in the period
 */
export function summarizeEncoder(
  samples: readonly EncoderSample[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  hasSwitchedInput: boolean,
): EncoderFacts {
  const samplesOfPeriod = samples.filter(
    ({ takenAtMs }) => takenAtMs > fromMs && takenAtMs <= toMs + SAMPLE_INTERVAL_MS,
  );
  const gapsMs = samples.slice(1).map(({ takenAtMs }, index) => {
    const previousAtMs = samples[index]?.takenAtMs ?? takenAtMs;
    const gapMs = Math.min(takenAtMs, toMs) - Math.max(previousAtMs, fromMs);
    return takenAtMs - previousAtMs > SAMPLE_INTERVAL_MS + SAMPLE_TOLERANCE_MS
      ? Math.max(0, gapMs - SAMPLE_INTERVAL_MS)
      : 0;
  });
  // A sample without media stands for the whole interval before it.
  const idleMs = samplesOfPeriod.filter(({ bitrate }) => bitrate === 0).length * SAMPLE_INTERVAL_MS;
  const lastAtMs = samples.at(-1)?.takenAtMs ?? null;
  // After the last sample no media arrived: the session ended, or its encoder is still disconnected.
  const missingTailMs =
    lastAtMs === null || lastAtMs > toMs - SAMPLE_INTERVAL_MS - SAMPLE_TOLERANCE_MS
      ? 0
      : Math.max(0, toMs - Math.max(lastAtMs, fromMs));
  const samplesWithMedia = samplesOfPeriod.filter(({ bitrate }) => bitrate > 0);
  const extremeOf = (
    valueOf: (sample: EncoderSample) => number | null,
    pick: (...values: number[]) => number,
  ) => {
    const values = samplesWithMedia.map(valueOf).filter((value) => value !== null);
    return values.length === 0 ? null : pick(...values);
  };
  return {
    silentMs: Math.max(
      gapsMs.reduce((sum, gap) => sum + gap, 0) + idleMs + missingTailMs,
      ...samplesOfPeriod.map(({ silenceMs }) => silenceMs ?? 0),
    ),
    speed: extremeOf(({ speed }) => speed, Math.min),
    transcodeSpeed: extremeOf(({ transcodeSpeed }) => transcodeSpeed, Math.min),
    lateMs: extremeOf(({ latenessMs }) => latenessMs, Math.max),
    hasSwitchedInput,
  };
}
