import type { Progress } from '@/lib/domain/streams';
import type { Clock } from '@/lib/infra/clock';

interface ProgressEntry {
  readonly streamId: string;
  readonly sessionId: string;
  segments: number;
  seconds: number;
  bytes: number;
  transcodedSegments: number;
  transcodedSeconds: number;
  transcodedBytes: number;
  /** Monotonic time of the last media; -Infinity before the first. */
  lastMediaAtMs: number;
}

type ProgressKey = Pick<Progress, 'streamId' | 'sessionId'>;

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
  readonly #entries = new Map<string, ProgressEntry>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(write: (progress: readonly Progress[]) => Promise<void>, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  /** Counts a closed segment of the source. */
  countSegment(key: ProgressKey, segment: Segment): void {
    const entry = this.#entryOf(key);
    entry.segments += 1;
    entry.seconds += segment.durationMs / 1_000;
    entry.bytes += segment.bytes;
  }

  /** Counts a closed segment of a rendition. */
  countTranscodedSegment(key: ProgressKey, segment: Segment): void {
    const entry = this.#entryOf(key);
    entry.transcodedSegments += 1;
    entry.transcodedSeconds += segment.durationMs / 1_000;
    entry.transcodedBytes += segment.bytes;
  }

  /** Records that the last media of this publish arrived `silentMs` milliseconds ago. */
  recordMedia(key: ProgressKey, silentMs: number): void {
    const entry = this.#entryOf(key);
    entry.lastMediaAtMs = Math.max(entry.lastMediaAtMs, this.#clock.monotonic() - silentMs);
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
          silentMs: entry.lastMediaAtMs === -Infinity ? null : Math.max(0, now - entry.lastMediaAtMs),
        })),
      );
    } catch (error) {
      for (const entry of entries) this.#restore(entry);
      throw error;
    }
  }

  #restore(entry: ProgressEntry): void {
    const currentEntry = this.#entryOf(entry);
    currentEntry.segments += entry.segments;
    currentEntry.seconds += entry.seconds;
    currentEntry.bytes += entry.bytes;
    currentEntry.transcodedSegments += entry.transcodedSegments;
    currentEntry.transcodedSeconds += entry.transcodedSeconds;
    currentEntry.transcodedBytes += entry.transcodedBytes;
    currentEntry.lastMediaAtMs = Math.max(currentEntry.lastMediaAtMs, entry.lastMediaAtMs);
  }

  #entryOf({ streamId, sessionId }: ProgressKey): ProgressEntry {
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
        lastMediaAtMs: -Infinity,
      };
      this.#entries.set(sessionId, entry);
    }
    return entry;
  }
}
