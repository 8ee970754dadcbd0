import type { Clock } from '@/lib/infra/clock';
import type { WindowSegment } from '@/media-worker/media/packaging/window-segment';

type PublishedSegment = Pick<WindowSegment, 'period' | 'endMs' | 'isSlate'>;

/** Samples whose earliest media decides when later media is due: one minute. */
const REMEMBERED_SAMPLES = 12;

/**
 * Measures how late the parts of the source rendition are published. A part is due when it would be published with the
 * delay of the most punctual part of the last minute. Players near the live edge run out of data if parts come
 * later. A lasting delay counts for a minute, because players adapt to it.
 */
export class PublishLateness {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #period: PublishedSegment['period'] | null = null;
  /** Whether this is the first sample of a period. It does not count, because encoders begin with a burst. */
  #isStarting = true;
  /** Smallest offset from media time to publication in each of the last samples, and in the current sample, ms. */
  #pastMinOffsetsMs: readonly number[] = [];
  #minOffsetMs = Infinity;
  #lateMs: number | null = null;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Records that the newest part of a segment was published. */
  recordPart({ period, endMs, isSlate }: PublishedSegment): void {
    if (period !== this.#period || isSlate) this.#startPeriod(period);
    if (this.#isStarting) return;
    const offsetMs = this.#clock.monotonic() - endMs;
    this.#minOffsetMs = Math.min(offsetMs, this.#minOffsetMs);
    const dueOffsetMs = Math.min(this.#minOffsetMs, ...this.#pastMinOffsetsMs);
    this.#lateMs = Math.max(this.#lateMs ?? 0, offsetMs - dueOffsetMs);
  }

  /** @returns the worst lateness in milliseconds since the last call; null if nothing was measured */
  takeLateness(): number | null {
    const lateMs = this.#lateMs;
    if (this.#minOffsetMs < Infinity) {
      this.#pastMinOffsetsMs = [...this.#pastMinOffsetsMs, this.#minOffsetMs].slice(-REMEMBERED_SAMPLES);
    }
    this.#isStarting = false;
    this.#minOffsetMs = Infinity;
    this.#lateMs = null;
    return lateMs === null ? null : Math.round(lateMs);
  }

  #startPeriod(period: PublishedSegment['period']): void {
    this.#period = period;
    this.#isStarting = true;
    this.#pastMinOffsetsMs = [];
    this.#minOffsetMs = Infinity;
    this.#lateMs = null;
  }
}
