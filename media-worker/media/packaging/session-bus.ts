import { PacketBus } from '@/media-worker/media/packets/packet-bus';

/** An encoder that crashed, or that waits for its source, comes back within this time. */
const patienceMs = 20_000;

/** One bus over the runs of an encoder of ours, for those who send it on and may not lose their connection between two runs. */
export class SessionBus {
  readonly #onBus: (bus: PacketBus) => void;
  #bus: PacketBus | null = null;
  #latest: PacketBus | null = null;
  #patience: NodeJS.Timeout | undefined;

  /** @param begun called with each bus: another one only after a long time without any packets */
  constructor(onBus: (bus: PacketBus) => void) {
    this.#onBus = onBus;
  }

  /** Null when there is none. */
  get running(): PacketBus | null {
    return this.#bus?.ended === false ? this.#bus : null;
  }

  /** The packets of the next run follow on `run`, with times that go on. */
  follow(runBus: PacketBus): void {
    clearTimeout(this.#patience);
    const running = this.running;
    const bus = running ?? new PacketBus({ onSubscriberError: () => undefined });
    this.#bus = bus;
    this.#latest = runBus;
    runBus.subscribe({
      packet: (packet) => bus.push(packet),
      end: () => {
        if (this.#latest === runBus) this.#waitForNext(bus);
      },
    });
    if (!running) this.#onBus(bus);
  }

  /** No run follows. */
  end(): void {
    clearTimeout(this.#patience);
    this.#bus?.end('finished');
  }

  #waitForNext(bus: PacketBus): void {
    this.#patience = setTimeout(() => bus.end('finished'), patienceMs);
    this.#patience.unref();
  }
}
