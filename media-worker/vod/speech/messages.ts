import type { Utterance } from '@/lib/core/speech/speech-cues';

/** Request to the recogniser, as JSON in its first argument. */
export interface RecogniserRequest {
  /** Folder of the speech model. */
  readonly model: string;
  /** File of raw 16-bit samples at 16 kHz, one channel. */
  readonly audio: string;
  /** Range in samples: the start, and the position after which no further utterance begins. */
  readonly from: number;
  readonly until: number;
  /** ISO 639 code of the spoken language. */
  readonly language: string;
  readonly threads: number;
}

/** Samples per second. */
export const SAMPLE_RATE = 16_000;

/**
 * File descriptor for the recogniser's answers, one JSON object per line. Stdout and stderr are not used, because
 * its libraries write to them.
 */
export const ANSWER_FD = 3;

/** Answers of the recogniser: `loaded` comes first, `done` last. The next piece starts at `at`, in samples. */
export type RecogniserAnswer =
  | { readonly type: 'loaded' }
  | { readonly type: 'unusable'; readonly reason: string }
  | ({ readonly type: 'utterance' } & Utterance)
  | { readonly type: 'reached' | 'done'; readonly at: number };
