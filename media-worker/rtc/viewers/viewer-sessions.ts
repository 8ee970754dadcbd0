import type { Clock } from '@/lib/infra/clock';
import type { OpenedConnection } from '@/media-worker/rtc/rtc-direction';

/** Bytes sent to one viewer since the previous request for progress. */
export interface ViewerProgress {
  readonly id: string;
  readonly bytes: number;
  /** Whether the viewer has left, so that this is its last report. */
  readonly isOver: boolean;
}

interface ViewerSession {
  readonly close: () => void;
  readonly sentBytes: () => number;
  /** Bytes reported so far. */
  reportedBytes: number;
  /** Whether the viewer has left. The entry stays until its last bytes are reported. */
  isOver: boolean;
  lastRequestMs: number;
}

/** A viewer that no origin asked about for this long is ended. An origin asks every few seconds. */
const REQUEST_TIMEOUT_MS = 45_000;
const SWEEP_INTERVAL_MS = 5_000;

/**
 * Viewers of this process by the ids of their connections. The origin that admitted a viewer asks for its progress, counts
 * it, and ends viewers who lose access. Viewers that no origin asks about are ended.
 */
export class ViewerSessions {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #sessions = new Map<string, ViewerSession>();
  readonly #sweepTimer: NodeJS.Timeout;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#sweepTimer = setInterval(() => this.#endUnattended(), SWEEP_INTERVAL_MS);
    this.#sweepTimer.unref();
  }

  get count(): number {
    return [...this.#sessions.values()].filter(({ isOver }) => !isOver).length;
  }

  /**
   * Adds a viewer.
   * @param sentBytes returns the bytes sent to the viewer so far
   * @returns a function that marks the viewer as gone; may be called twice
   */
  open(
    { sessionId: id, close }: Pick<OpenedConnection, 'sessionId' | 'close'>,
    sentBytes: () => number,
  ): () => void {
    this.#sessions.set(id, {
      close,
      sentBytes,
      reportedBytes: 0,
      isOver: false,
      lastRequestMs: this.#clock.monotonic(),
    });
    return () => {
      const session = this.#sessions.get(id);
      if (session) session.isOver = true;
    };
  }

  /** The progress since the last call of the viewers with these ids. Unknown ids are omitted; viewers who left are removed. */
  takeProgress(ids: readonly string[]): ViewerProgress[] {
    return ids.flatMap((id) => {
      const session = this.#sessions.get(id);
      if (!session) return [];
      const sentBytes = session.sentBytes();
      const bytes = sentBytes - session.reportedBytes;
      session.reportedBytes = sentBytes;
      session.lastRequestMs = this.#clock.monotonic();
      const { isOver } = session;
      if (isOver) this.#sessions.delete(id);
      return [{ id, bytes, isOver }];
    });
  }

  /** Stops the search for viewers that no origin asks about. */
  close(): void {
    clearInterval(this.#sweepTimer);
  }

  #endUnattended(): void {
    const monotonicMs = this.#clock.monotonic();
    for (const [id, { lastRequestMs, close }] of this.#sessions) {
      if (monotonicMs - lastRequestMs <= REQUEST_TIMEOUT_MS) continue;
      close();
      this.#sessions.delete(id);
    }
  }
}
