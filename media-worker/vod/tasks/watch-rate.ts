import {
  isTooSlow,
  noteProgress,
  rateFloor,
  type RateFloor,
  type RateNotes,
} from '@/lib/core/media/transfer-rate';
import type { Clock } from '@/lib/infra/clock';

/** Measures the rate of one transfer with a remote server. */
export interface RateWatch {
  /** Aborted with TransferTooSlow when the remote side stays below the minimum rate. */
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
  /** Stops measuring. Idempotent. */
  readonly close: () => void;
}

/** The remote side sent or accepted less than the minimum rate. */
export class TransferTooSlow extends Error {
  override readonly name = 'TransferTooSlow';
  constructor({ bytesPerSecond, windowMs }: RateFloor) {
    super(`less than ${bytesPerSecond / 1_000} kB a second over ${windowMs / 1_000} s`);
  }
}

/** Ends a transfer that is slower than lib/core/media/transfer-rate.ts allows. @param floor tests shorten it */
export function watchRate(clock: Clock, floor: RateFloor = rateFloor): RateWatch {
  const ending = new AbortController();
  let bytes = 0;
  let notes: RateNotes = noteProgress([], { at: clock.monotonic(), bytes }, floor);
  const timer = setInterval(() => {
    notes = noteProgress(notes, { at: clock.monotonic(), bytes }, floor);
    if (isTooSlow(notes, floor)) {
      clearInterval(timer);
      ending.abort(new TransferTooSlow(floor));
    }
  }, floor.windowMs / floor.notes);
  timer.unref();
  return {
    signal: ending.signal,
    onBytes: (count) => (bytes += count),
    close: () => clearInterval(timer),
  };
}
