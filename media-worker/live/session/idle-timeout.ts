import type { ProgramInput } from '@/lib/core/streams/program-state';

/** How long the playlist stays after a lost connection … */
const reconnectMs = 8_000;
/** … but no longer than this after its last media, so that a dead socket never keeps a stream active beyond 15 s. */
const maxSilenceMs = 13_000;
/** A slate that is still being made when its encoder is lost is waited for. */
const slateComingMs = 20_000;
/** How long the ended playlist stays after a clean end. `stream.idle` has to follow within 2 s. */
export const endedPlaylistMs = 1_200;

interface EncoderLoss {
  /** On air. */
  readonly input: ProgramInput | null;
  readonly slate: 'ready' | 'coming' | null;
  /** How long a slate may stand. */
  readonly slateSeconds: number;
  /** Milliseconds since the last media of the encoder. */
  readonly silentMs: number;
}

/** How long a stream stays active without an encoder, ms. */
export function idleTimeoutMs({ input, slate, slateSeconds, silentMs }: EncoderLoss): number {
  if (input === 'slate') return slateSeconds * 1_000;
  if (slate === 'coming') return slateComingMs;
  return Math.max(0, Math.min(reconnectMs, maxSilenceMs - silentMs));
}
