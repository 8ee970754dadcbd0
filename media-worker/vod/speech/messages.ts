import type { Utterance } from '@/lib/core/speech/speech-cues';

/** What the recogniser is told, as JSON in its first argument. */
export interface RecogniserOrder {
  /** Folder of the model. */
  readonly model: string;
  /** Samples of 16 bits, 16,000 a second, one channel, without a header. */
  readonly audio: string;
  /** Samples: where to start, and from where on no further utterance is begun. */
  readonly from: number;
  readonly until: number;
  /** ISO 639 code of what is spoken. */
  readonly language: string;
  readonly threads: number;
}

export const sampleRate = 16_000;

/** The file descriptor on which the recogniser answers, one JSON object a line: libraries write to the others. */
export const answerFd = 3;

/** `loaded` comes first, `done` last: the next piece starts at `at`, in samples. */
export type RecogniserAnswer =
  | { readonly type: 'loaded' }
  | { readonly type: 'unusable'; readonly reason: string }
  | ({ readonly type: 'utterance' } & Utterance)
  | { readonly type: 'reached' | 'done'; readonly at: number };
