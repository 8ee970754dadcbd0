import type { Utterance } from '@/lib/core/speech/speech-cues';

/** Order for the recogniser, as JSON in its first argument. */
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

export const sampleRate = 16_000;

/**
 * File descriptor for the recogniser's answers, one JSON object per line: its libraries write to stdout and
 * stderr.
 */
export const answerFd = 3;

/** Answers of the recogniser: `loaded` comes first, `done` last. The next piece starts at `at`, in samples. */
export type RecogniserAnswer =
  | { readonly type: 'loaded' }
  | { readonly type: 'unusable'; readonly reason: string }
  | ({ readonly type: 'utterance' } & Utterance)
  | { readonly type: 'reached' | 'done'; readonly at: number };
