import { PacketBus } from '@/media-worker/media/packets/packet-bus';

/** Time within which a transcoder restarts after a crash, or resumes after waiting for its source. */
const RESTART_TIMEOUT_MS = 20_000;

/** Makes one bus of the runs of a transcoder, for readers that must not lose their connection between two runs. */
export class SessionBus {
  readonly #onBus: (bus: PacketBus) => void;
  #bus: PacketBus | null = null;
  #latestRun: PacketBus | null = null;
  #restartTimer: NodeJS.Timeout | undefined;

  /** @param onBus called with each bus; a new bus starts only after the previous one has timed out */
  constructor(onBus: (bus: PacketBus) => void) {
    this.#onBus = onBus;
  }

  /** The open bus, or null. */
  get openBus(): PacketBus | null {
    return this.#bus?.ended === false ? this.#bus : null;
  }

  /** Forwards the packets of the next run from `runBus`; their times continue those of the previous run. */
  follow(runBus: PacketBus): void {
    clearTimeout(this.#restartTimer);
    const openBus = this.openBus;
    const bus = openBus ?? new PacketBus({ onSubscriberError: () => undefined });
    this.#bus = bus;
    this.#latestRun = runBus;
    runBus.subscribe({
      packet: (packet) => bus.push(packet),
      end: () => {
        if (this.#latestRun === runBus) this.#waitForNext(bus);
      },
    });
    if (!openBus) this.#onBus(bus);
  }

  /** Ends the bus: no further run follows. */
  end(): void {
    clearTimeout(this.#restartTimer);
    this.#bus?.end('finished');
  }

  #waitForNext(bus: PacketBus): void {
    this.#restartTimer = setTimeout(() => bus.end('finished'), RESTART_TIMEOUT_MS);
    this.#restartTimer.unref();
  }
}
