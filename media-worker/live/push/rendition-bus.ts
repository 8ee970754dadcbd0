import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { Rendition, Renditions } from '@/media-worker/media/packaging/rendition';

/** The packets of one rendition of a session, by its name: the rendition may come later, go, and come again. */
export class BusOfRendition {
  readonly #name: string;
  readonly #now: () => number;
  readonly #stops: (() => void)[];
  readonly #waiting = new Set<(bus: PacketBus) => void>();
  readonly #byRendition = new Map<Rendition, () => void>();
  #bus: PacketBus | null = null;
  #sourceSince: number | null = null;

  /** @param now monotonic milliseconds */
  constructor(name: string, renditions: Renditions, now: () => number) {
    this.#name = name;
    this.#now = now;
    this.#stops = [
      renditions.source.onBus((bus) => {
        this.#sourceSince = now();
        bus.subscribe({ packet: () => undefined, end: () => (this.#sourceSince = null) });
      }),
      renditions.observe({
        added: (rendition) => this.#added(rendition),
        removed: (rendition) => {
          this.#byRendition.get(rendition)?.();
          this.#byRendition.delete(rendition);
        },
      }),
    ];
  }

  /** The bus to read now; null when there is none, or when it has ended. */
  get running(): PacketBus | null {
    return this.#bus && !this.#bus.ended ? this.#bus : null;
  }

  /** Milliseconds for which the source has been there without this rendition. */
  get absentMs(): number {
    return this.running || this.#sourceSince === null ? 0 : this.#now() - this.#sourceSince;
  }

  /** The running bus, or the next one; null once the signal is given. */
  next(signal: AbortSignal): Promise<PacketBus | null> {
    if (this.running || signal.aborted) return Promise.resolve(signal.aborted ? null : this.running);
    return new Promise((resolve) => {
      const settle = (bus: PacketBus | null) => {
        this.#waiting.delete(settle);
        signal.removeEventListener('abort', abort);
        resolve(bus);
      };
      const abort = () => settle(null);
      signal.addEventListener('abort', abort);
      this.#waiting.add(settle);
    });
  }

  /** Calls back when this bus ends. Returns how to stop listening. */
  onEnd(bus: PacketBus, callback: () => void): () => void {
    return bus.subscribe({ packet: () => undefined, end: callback });
  }

  /** Unsubscribes. May be called twice. */
  close(): void {
    for (const stop of [...this.#stops.splice(0), ...this.#byRendition.values()]) stop();
    this.#byRendition.clear();
  }

  #added(rendition: Rendition): void {
    if (rendition.name !== this.#name) return;
    const stop = rendition.onLastingBus((bus) => {
      this.#bus = bus;
      for (const settle of [...this.#waiting]) settle(bus);
    });
    this.#byRendition.set(rendition, stop);
  }
}
