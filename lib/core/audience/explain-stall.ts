/** Measurements of one minute in which viewers of a stream, recording or asset stalled. */
export interface StallFacts {
  readonly stalls: number;
  /** Stalls of viewers whose connection was slower than the lowest rendition needs. */
  readonly slowStalls: number;
  /** Stalls of viewers whose edge waited for its origin. */
  readonly edgeStalls: number;
  /** How long the serving machines had no CPU time left. */
  readonly overloadedMs: number;
  /** State of the encoder; null for recordings and assets. */
  readonly encoder: EncoderFacts | null;
}

export interface EncoderFacts {
  /** Time without media in milliseconds: the sum, or the longest silence if that is longer. */
  readonly silentMs: number;
  /** Lowest ratio of received media time to real time; null without measurements. */
  readonly speed: number | null;
  /** Encoding speed of the slowest rendition, relative to real time. */
  readonly transcodeSpeed: number | null;
  /** How much later than due media was published, at worst; null without measurements. */
  readonly lateMs: number | null;
  /** Whether another input took over. */
  readonly switched: boolean;
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

/** Usual buffer of a player with low latency. */
const silentFromMs = 2_000;
const slowBelow = 0.9;
const overloadedFromMs = 10_000;
/** A player close to the live edge has about this much media ahead. */
const lateFromMs = 1_000;

const isMost = (part: number, all: number): boolean => part * 2 >= all;

/** The first matching row is the cause; its number is the severity: milliseconds, or a ratio to real time. */
const table: readonly (readonly [
  StallCause,
  (facts: StallFacts) => boolean,
  (facts: StallFacts) => number | null,
])[] = [
  // A switch follows a gap, and is the cause that users recognize.
  ['input_switched', ({ encoder }) => encoder?.switched ?? false, ({ encoder }) => encoder?.silentMs ?? null],
  [
    'encoder_silent',
    ({ encoder }) => encoder !== null && encoder.silentMs >= silentFromMs,
    ({ encoder }) => encoder?.silentMs ?? null,
  ],
  [
    'source_slow',
    ({ encoder }) => (encoder?.speed ?? 1) < slowBelow,
    ({ encoder }) => encoder?.speed ?? null,
  ],
  [
    'transcode_slow',
    ({ encoder }) => (encoder?.transcodeSpeed ?? 1) < slowBelow,
    ({ encoder }) => encoder?.transcodeSpeed ?? null,
  ],
  [
    'server_overloaded',
    ({ overloadedMs }) => overloadedMs >= overloadedFromMs,
    (facts) => facts.overloadedMs,
  ],
  // The causes above make media late, too, and say why.
  [
    'published_late',
    ({ encoder }) => (encoder?.lateMs ?? 0) >= lateFromMs,
    ({ encoder }) => encoder?.lateMs ?? null,
  ],
  // A viewer behind a waiting edge measures a slow connection.
  ['edge_miss', ({ stalls, edgeStalls }) => isMost(edgeStalls, stalls), () => null],
  ['viewer_connection', ({ stalls, slowStalls }) => isMost(slowStalls, stalls), () => null],
];

/** The cause of the stalls, and its severity. */
export function explainStall(facts: StallFacts): {
  readonly cause: StallCause;
  readonly measure: number | null;
} {
  const causeRow = table.find(([, applies]) => applies(facts));
  return causeRow ? { cause: causeRow[0], measure: causeRow[2](facts) } : { cause: 'unknown', measure: null };
}

/** A sample of the encoder, taken every five seconds while it is connected. */
export interface EncoderSample {
  /** Unix milliseconds. */
  readonly at: number;
  readonly bitrate: number;
  readonly speed: number;
  readonly transcodeSpeed: number | null;
  /** How much later than due media was published, at worst, in milliseconds. */
  readonly lateness: number | null;
  /** Longest time without media, in milliseconds. */
  readonly silence: number | null;
}

const sampleMs = 5_000;
/** Samples are late on a busy machine. */
const lateMs = 2_500;

/**
 * Summarizes the encoder samples of a period.
 * @param samples in order, of the period and a little more on both sides, to include gaps at its edges
 */
export function encoderFacts(
  samples: readonly EncoderSample[],
  { from, to }: { readonly from: number; readonly to: number },
  switched: boolean,
): EncoderFacts {
  const within = samples.filter(({ at }) => at > from && at <= to + sampleMs);
  const gaps = samples.slice(1).map(({ at }, index) => {
    const since = samples[index]?.at ?? at;
    const gap = Math.min(at, to) - Math.max(since, from);
    return at - since > sampleMs + lateMs ? Math.max(0, gap - sampleMs) : 0;
  });
  const idle = within.filter(({ bitrate }) => bitrate === 0).length * sampleMs;
  const last = samples.at(-1)?.at ?? null;
  // After the last sample no media arrived: the broadcast ended, or its encoder is still disconnected.
  const missingTailMs =
    last === null || last > to - sampleMs - lateMs ? 0 : Math.max(0, to - Math.max(last, from));
  const samplesWithMedia = within.filter(({ bitrate }) => bitrate > 0);
  const extreme = (of: (sample: EncoderSample) => number | null, pick: (...values: number[]) => number) => {
    const values = samplesWithMedia.map(of).filter((value) => value !== null);
    return values.length === 0 ? null : pick(...values);
  };
  return {
    silentMs: Math.max(
      gaps.reduce((sum, gap) => sum + gap, 0) + idle + missingTailMs,
      ...within.map(({ silence }) => silence ?? 0),
    ),
    speed: extreme(({ speed }) => speed, Math.min),
    transcodeSpeed: extreme(({ transcodeSpeed }) => transcodeSpeed, Math.min),
    lateMs: extreme(({ lateness }) => lateness, Math.max),
    switched,
  };
}
