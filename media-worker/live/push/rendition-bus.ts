import { sourceProfile } from '@/lib/core/renditions/profile-rules';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { targetMessage } from '@/lib/core/targets/target-test';
import { Reordering } from '@/media-worker/media/packets/reordering';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { Rendition, Renditions } from '@/media-worker/media/packaging/rendition';

/** The message about B-frames names no host. */
const noDestination = { kind: 'whip', host: '', port: 0 } as const;

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
  #folder: string | null = null;
  readonly #takesReordering: boolean;
  /** What of the source the target does not accept. */
  #foreign: 'hevc' | 'av1' | 'b_frames' | null = null;
  #reordering = new Reordering();
  readonly #substitutes = new Map<Rendition, PacketBus>();
  #sourceSince: number | null = null;

  /** @param now monotonic milliseconds */
  constructor(
    name: string,
    renditions: Renditions,
    now: () => number,
    { takesReordering }: { readonly takesReordering: boolean } = { takesReordering: true },
  ) {
    this.#takesReordering = takesReordering;
    this.#name = name;
    this.#now = now;
    this.#stops = [
      renditions.source.onBus((bus) => {
        this.#sourceSince = now();
        this.#foreign = null;
        this.#reordering = new Reordering();
        bus.subscribe({
          packet: (packet) => this.#sourcePacket(bus, packet),
          end: () => (this.#sourceSince = null),
        });
      }),
      renditions.observe({
        onAdd: (rendition) => this.#added(rendition),
        onRemove: (rendition) => {
          this.#substitutes.delete(rendition);
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

  /** Folder of the rendition that has the current bus; null before the first one. */
  get folder(): string | null {
    return this.#folder;
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
    if (this.#foreign === null) return `the rendition "${this.#name}" is not running`;
    if (this.#foreign === 'b_frames') return targetMessage({ outcome: 'b_frames' }, noDestination);
    const codec = this.#foreign === 'hevc' ? 'HEVC' : 'AV1';
    return `the encoder sends ${codec}, and targets take H.264: add a profile to the stream`;
  }

  #added(rendition: Rendition): void {
    const isSource = rendition.name === sourceProfile;
    if (this.#name !== sourceProfile) {
      if (rendition.name === this.#name) this.#follow(rendition, (bus) => this.#offer(bus, rendition.folder));
    } else if (!isSource)
      this.#follow(rendition, (bus) => {
        this.#substitutes.set(rendition, bus);
        if (this.#foreign !== null && !this.running) this.#offer(bus, rendition.folder);
      });
  }

  #follow(rendition: Rendition, onBus: (bus: PacketBus) => void): void {
    this.#byRendition.set(rendition, rendition.onLastingBus(onBus));
  }

  #sourcePacket(bus: PacketBus, packet: MediaPacket): void {
    if (this.#name !== sourceProfile) return;
    const { kind, role } = packet;
    const foreign = this.#foreignIn(packet);
    if (foreign) {
      this.#foreign = foreign;
      if (this.#bus === bus) this.#bus = null;
      const running = [...this.#substitutes].find(([, { ended }]) => !ended);
      if (running && !this.running) this.#offer(running[1], running[0].folder);
    } else if (!this.running && this.#isTaken(kind, role)) this.#offer(bus, sourceProfile);
  }

  #foreignIn(packet: MediaPacket): 'hevc' | 'av1' | 'b_frames' | null {
    if (packet.kind !== 'video') return null;
    const { codec } = packet;
    if (codec === 'hevc' || codec === 'av1') return codec;
    return this.#reordering.observe(packet) && !this.#takesReordering ? 'b_frames' : null;
  }

  /** Whether targets accept the source, seen from one of its packets. */
  #isTaken(kind: MediaPacket['kind'], role: MediaPacket['role']): boolean {
    if (this.#foreign === null) return kind === 'video' || role === 'frame';
    // The slate is H.264, and audio belongs to the video that targets do not accept.
    return kind === 'video' && this.#substitutes.size === 0;
  }

  #offer(bus: PacketBus, folder: string): void {
    this.#bus = bus;
    this.#folder = folder;
    for (const settle of [...this.#waiting]) settle(bus);
  }
}
