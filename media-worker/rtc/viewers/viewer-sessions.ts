import type { Clock } from '@/lib/infra/clock';
import type { OpenedConnection } from '@/media-worker/rtc/rtc-direction';

/** What one viewer got since the look before. */
export interface ViewerProgress {
  readonly id: string;
  readonly bytes: number;
  /** These are its last ones. */
  readonly isOver: boolean;
}

interface ViewerSession {
  readonly close: () => void;
  readonly sentBytes: () => number;
  /** Told so far. */
  toldBytes: number;
  /** It stays until its last bytes are told. */
  isOver: boolean;
  askedAt: number;
}

/** An origin asks every few seconds; one that has ended leaves its viewers to others. */
const UNATTENDED_MS = 45_000;
const SWEEP_MS = 5_000;

/**
 * Viewers of this process by the ids of their connections. The origin that admitted a viewer asks for them: it counts them, and
 * ends those who may not watch any more. Those that no origin asks for are ended.
 */
export class ViewerSessions {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #sessions = new Map<string, ViewerSession>();
  readonly #sweep: NodeJS.Timeout;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#sweep = setInterval(() => this.#endUnattended(), SWEEP_MS);
    this.#sweep.unref();
  }

  get count(): number {
    return [...this.#sessions.values()].filter(({ isOver }) => !isOver).length;
  }

  /** @returns ends it here; may be called twice */
  open(
    { session: id, close }: Pick<OpenedConnection, 'session' | 'close'>,
    sentBytes: () => number,
  ): () => void {
    this.#sessions.set(id, {
      close,
      sentBytes,
      toldBytes: 0,
      isOver: false,
      askedAt: this.#clock.monotonic(),
    });
    return () => {
      const session = this.#sessions.get(id);
      if (session) session.isOver = true;
    };
  }

  /** Those of these ids that are still there. */
  progress(ids: readonly string[]): ViewerProgress[] {
    return ids.flatMap((id) => {
      const session = this.#sessions.get(id);
      if (!session) return [];
      const sent = session.sentBytes();
      const bytes = sent - session.toldBytes;
      session.toldBytes = sent;
      session.askedAt = this.#clock.monotonic();
      const { isOver } = session;
      if (isOver) this.#sessions.delete(id);
      return [{ id, bytes, isOver }];
    });
  }

  close(): void {
    clearInterval(this.#sweep);
  }

  #endUnattended(): void {
    const now = this.#clock.monotonic();
    for (const [id, { askedAt, close }] of this.#sessions) {
      if (now - askedAt <= UNATTENDED_MS) continue;
      close();
      this.#sessions.delete(id);
    }
  }
}
