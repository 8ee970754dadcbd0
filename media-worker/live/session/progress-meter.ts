import type { Progress } from '@/lib/domain/streams';
import type { Clock } from '@/lib/infra/clock';

interface Entry {
  readonly streamId: string;
  readonly sessionId: string;
  segments: number;
  seconds: number;
  bytes: number;
  transcodedSegments: number;
  transcodedSeconds: number;
  transcodedBytes: number;
  /** Monotonic time. */
  lastMediaAt: number;
}

type Of = Pick<Progress, 'streamId' | 'sessionId'>;

interface Segment {
  readonly durationMs: number;
  readonly bytes: number;
}

/**
 * Counts the media that all publishes of this node receive and writes it in one batch. Counts that could not be written are
 * kept, because PostgreSQL may be unavailable for a while.
 */
export class ProgressMeter {
  readonly #write: (progress: readonly Progress[]) => Promise<void>;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(write: (progress: readonly Progress[]) => Promise<void>, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  /** Counts a closed segment of the source. */
  segment(of: Of, segment: Segment): void {
    const entry = this.#entryOf(of);
    entry.segments += 1;
    entry.seconds += segment.durationMs / 1_000;
    entry.bytes += segment.bytes;
  }

  /** Counts a closed segment of a rendition. */
  transcoded(of: Of, segment: Segment): void {
    const entry = this.#entryOf(of);
    entry.transcodedSegments += 1;
    entry.transcodedSeconds += segment.durationMs / 1_000;
    entry.transcodedBytes += segment.bytes;
  }

  /** Records that the last media of this publish arrived `silentMs` milliseconds ago. */
  touch(of: Of, silentMs: number): void {
    const entry = this.#entryOf(of);
    entry.lastMediaAt = Math.max(entry.lastMediaAt, this.#clock.monotonic() - silentMs);
  }

  /** Writes all counts. Rejects on failure and keeps them for the next call. */
  flush(): Promise<void> {
    // Writes run one after another, because the same count must not be written twice.
    const next = this.#flushing.catch(() => undefined).then(() => this.#flush());
    this.#flushing = next;
    return next;
  }

  async #flush(): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    if (entries.length === 0) return;
    const now = this.#clock.monotonic();
    try {
      await this.#write(
        entries.map((entry) => ({
          streamId: entry.streamId,
          sessionId: entry.sessionId,
          sourceSegments: entry.segments,
          sourceSegmentsDuration: entry.seconds,
          sourceBytes: entry.bytes,
          transcodedSegments: entry.transcodedSegments,
          transcodedSegmentsDuration: entry.transcodedSeconds,
          transcodedBytes: entry.transcodedBytes,
          silentMs: entry.lastMediaAt === -Infinity ? null : Math.max(0, now - entry.lastMediaAt),
        })),
      );
    } catch (error) {
      for (const entry of entries) this.#giveBack(entry);
      throw error;
    }
  }

  #giveBack(entry: Entry): void {
    const entryNow = this.#entryOf(entry);
    entryNow.segments += entry.segments;
    entryNow.seconds += entry.seconds;
    entryNow.bytes += entry.bytes;
    entryNow.transcodedSegments += entry.transcodedSegments;
    entryNow.transcodedSeconds += entry.transcodedSeconds;
    entryNow.transcodedBytes += entry.transcodedBytes;
    entryNow.lastMediaAt = Math.max(entryNow.lastMediaAt, entry.lastMediaAt);
  }

  #entryOf({ streamId, sessionId }: Of): Entry {
    let entry = this.#entries.get(sessionId);
    if (!entry) {
      const emptyEntry = { transcodedSegments: 0, transcodedSeconds: 0, transcodedBytes: 0 };
      entry = {
        streamId,
        sessionId,
        segments: 0,
        seconds: 0,
        bytes: 0,
        ...emptyEntry,
        lastMediaAt: -Infinity,
      };
      this.#entries.set(sessionId, entry);
    }
    return entry;
  }
}
