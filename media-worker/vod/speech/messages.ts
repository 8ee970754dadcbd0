import type { Utterance } from '@/lib/core/speech/speech-cues';

/** Order for the recogniser, as JSON in its first argument. */
export interface RecogniserOrder {
  /** Folder of the model. */
  readonly model: string;
  /** Raw 16-bit samples at 16 kHz, one channel. */
  readonly audio: string;
  /** Samples: where to start, and after which no further utterance begins. */
  readonly from: number;
  readonly until: number;
  /** ISO 639 code of the spoken language. */
  readonly language: string;
  readonly threads: number;
}

export const sampleRate = 16_000;

/** File descriptor for answers of the recogniser, one JSON object per line: libraries write to the others. */
export const answerFd = 3;

/** `loaded` comes first, `done` last: the next piece starts at `at`, in samples. */
export type RecogniserAnswer =
  | { readonly type: 'loaded' }
  | { readonly type: 'unusable'; readonly reason: string }
  | ({ readonly type: 'utterance' } & Utterance)
  | { readonly type: 'reached' | 'done'; readonly at: number };
