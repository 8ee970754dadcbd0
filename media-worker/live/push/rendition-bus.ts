import { sourceProfile } from '@/lib/core/renditions/profile-rules';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { Rendition, Renditions } from '@/media-worker/media/packaging/rendition';

/**
 * The packets of one rendition of a session, looked up by name: the rendition may start later, stop and start again. Targets
 * take H.264, so a rendition substitutes a source in another codec.
 */
export class RenditionBus {
  readonly #name: string;
  readonly #now: () => number;
  readonly #stops: (() => void)[];
  readonly #waiting = new Set<(bus: PacketBus) => void>();
  readonly #byRendition = new Map<Rendition, () => void>();
  #bus: PacketBus | null = null;
  /** Video codec of the source that targets do not accept. */
  #foreignCodec: 'hevc' | 'av1' | null = null;
  readonly #standIns = new Map<Rendition, PacketBus>();
  #sourceSince: number | null = null;

  /** @param now monotonic milliseconds */
  constructor(name: string, renditions: Renditions, now: () => number) {
    this.#name = name;
    this.#now = now;
    this.#stops = [
      renditions.source.onBus((bus) => {
        this.#sourceSince = now();
        this.#foreignCodec = null;
        bus.subscribe({
          packet: (packet) => this.#sourcePacket(bus, packet),
          end: () => (this.#sourceSince = null),
        });
      }),
      renditions.observe({
        onAdd: (rendition) => this.#added(rendition),
        onRemove: (rendition) => {
          this.#standIns.delete(rendition);
          this.#byRendition.get(rendition)?.();
          this.#byRendition.delete(rendition);
        },
      }),
    ];
  }

  /** The current bus; null if there is none or it has ended. */
  get running(): PacketBus | null {
    return this.#bus && !this.#bus.ended ? this.#bus : null;
  }

  /** Milliseconds for which the source has existed without this rendition. */
  get absentMs(): number {
    return this.running || this.#sourceSince === null ? 0 : this.#now() - this.#sourceSince;
  }

  /** The current bus or the next one; null once the signal aborts. */
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

  /**
   * Calls back when a bus ends.
   * @returns a function that stops listening
   */
  onEnd(bus: PacketBus, callback: () => void): () => void {
    return bus.subscribe({ packet: () => undefined, end: callback });
  }

  /** Unsubscribes. May be called twice. */
  close(): void {
    for (const stop of [...this.#stops.splice(0), ...this.#byRendition.values()]) stop();
    this.#byRendition.clear();
  }

  /** The reason why there is nothing to send, as a message for users. */
  get absence(): string {
    if (this.#foreignCodec === null) return `the rendition "${this.#name}" is not running`;
    const codec = this.#foreignCodec === 'hevc' ? 'HEVC' : 'AV1';
    return `the encoder sends ${codec}, and targets take H.264: add a profile to the stream`;
  }

  #added(rendition: Rendition): void {
    const isSource = rendition.name === sourceProfile;
    if (this.#name !== sourceProfile) {
      if (rendition.name === this.#name) this.#follow(rendition, (bus) => this.#offer(bus));
    } else if (!isSource)
      this.#follow(rendition, (bus) => {
        this.#standIns.set(rendition, bus);
        if (this.#foreignCodec !== null && !this.running) this.#offer(bus);
      });
  }

  #follow(rendition: Rendition, onBus: (bus: PacketBus) => void): void {
    this.#byRendition.set(rendition, rendition.onLastingBus(onBus));
  }

  #sourcePacket(bus: PacketBus, { kind, codec, role }: MediaPacket): void {
    if (this.#name !== sourceProfile) return;
    if (kind === 'video' && (codec === 'hevc' || codec === 'av1')) {
      this.#foreignCodec = codec;
      if (this.#bus === bus) this.#bus = null;
      const standIn = this.running ? null : [...this.#standIns.values()].find(({ ended }) => !ended);
      if (standIn) this.#offer(standIn);
    } else if (!this.running && this.#isTaken(kind, role)) this.#offer(bus);
  }

  /** Whether targets accept the source, seen from one of its packets. */
  #isTaken(kind: MediaPacket['kind'], role: MediaPacket['role']): boolean {
    if (this.#foreignCodec === null) return kind === 'video' || role === 'frame';
    // The slate is H.264, and audio belongs to the video that targets do not accept.
    return kind === 'video' && this.#standIns.size === 0;
  }

  #offer(bus: PacketBus): void {
    this.#bus = bus;
    for (const settle of [...this.#waiting]) settle(bus);
  }
}
