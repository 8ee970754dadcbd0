import type { ProgramInput } from '@/lib/core/streams/program-state';

/** How long the playlist stays active after a lost connection. */
const RECONNECT_MS = 8_000;
/** Maximum time after the last media, so that a dead socket never keeps a stream active for more than 15 s. */
const MAX_SILENCE_MS = 13_000;
/** How long a lost encoder waits for a slate that is still being made. */
const SLATE_COMING_MS = 20_000;
/** How long the ended playlist stays after a clean end. `stream.idle` must follow within 2 s. */
export const ENDED_PLAYLIST_MS = 1_200;

interface EncoderLoss {
  readonly input: ProgramInput | null;
  readonly slate: 'ready' | 'coming' | null;
  /** How long a slate may stay on air, seconds. */
  readonly slateSeconds: number;
  /** Milliseconds since the last media of the encoder. */
  readonly silentMs: number;
}

/** How long a stream stays active without an encoder, ms. */
export function idleTimeoutMs({ input, slate, slateSeconds, silentMs }: EncoderLoss): number {
  if (input === 'slate') return slateSeconds * 1_000;
  if (slate === 'coming') return SLATE_COMING_MS;
  return Math.max(0, Math.min(RECONNECT_MS, MAX_SILENCE_MS - silentMs));
}
