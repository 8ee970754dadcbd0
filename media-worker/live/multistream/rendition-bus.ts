import { sourceProfile } from '@/lib/core/renditions/profile-rules';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { formatTargetMessage } from '@/lib/core/targets/target-test';
import { Reordering } from '@/media-worker/media/packets/reordering';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { Rendition, Renditions } from '@/media-worker/media/packaging/rendition';

/** Destination for the message about B-frames, which names no host. */
const noDestination = { kind: 'whip', host: '', port: 0 } as const;

/**
 * The packets of one rendition of a session, found by its name. The rendition may start later, stop and start
 * again. Targets accept H.264, so another rendition replaces a source in another codec.
 */
export class RenditionBus {
  readonly #name: string;
  readonly #now: () => number;
  readonly #unsubscribers: (() => void)[];
  readonly #waiting = new Set<(bus: PacketBus) => void>();
  readonly #byRendition = new Map<Rendition, () => void>();
  #bus: PacketBus | null = null;
  #folder: string | null = null;
  readonly #acceptsReordering: boolean;
  /** The reason why the target does not accept the source; null if the target accepts it. */
  #unsupported: 'hevc' | 'av1' | 'b_frames' | null = null;
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
    this.#acceptsReordering = takesReordering;
    this.#name = name;
    this.#now = now;
    this.#unsubscribers = [
      renditions.source.onBus((bus) => {
        this.#sourceSince = now();
        this.#unsupported = null;
        this.#reordering = new Reordering();
        bus.subscribe({
          packet: (packet) => this.#sourcePacket(bus, packet),
          end: () => (this.#sourceSince = null),
        });
      }),
      renditions.observe({
        onAdd: (rendition) => this.#onAdd(rendition),
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
   * Calls `callback` when a bus ends.
   * @returns a function that unsubscribes
   */
  onEnd(bus: PacketBus, callback: () => void): () => void {
    return bus.subscribe({ packet: () => undefined, end: callback });
  }

  /** Unsubscribes. May be called twice. */
  close(): void {
    for (const stop of [...this.#unsubscribers.splice(0), ...this.#byRendition.values()]) stop();
    this.#byRendition.clear();
  }

  /** The reason why there is nothing to send, as a message for users. */
  get absenceReason(): string {
    if (this.#unsupported === null) return `the rendition "${this.#name}" is not running`;
    if (this.#unsupported === 'b_frames') return formatTargetMessage({ outcome: 'b_frames' }, noDestination);
    const codec = this.#unsupported === 'hevc' ? 'HEVC' : 'AV1';
    return `the encoder sends ${codec}, and targets take H.264: add a profile to the stream`;
  }

  #onAdd(rendition: Rendition): void {
    const isSource = rendition.name === sourceProfile;
    if (this.#name !== sourceProfile) {
      if (rendition.name === this.#name)
        this.#follow(rendition, (bus) => this.#setBus(bus, rendition.folder));
    } else if (!isSource)
      this.#follow(rendition, (bus) => {
        this.#substitutes.set(rendition, bus);
        if (this.#unsupported !== null && !this.running) this.#setBus(bus, rendition.folder);
      });
  }

  #follow(rendition: Rendition, onBus: (bus: PacketBus) => void): void {
    this.#byRendition.set(rendition, rendition.onSessionBus(onBus));
  }

  #sourcePacket(bus: PacketBus, packet: MediaPacket): void {
    if (this.#name !== sourceProfile) return;
    const { kind, role } = packet;
    const unsupportedFeature = this.#unsupportedIn(packet);
    if (unsupportedFeature) {
      this.#unsupported = unsupportedFeature;
      if (this.#bus === bus) this.#bus = null;
      const activeSubstitute = [...this.#substitutes].find(([, { ended }]) => !ended);
      if (activeSubstitute && !this.running) this.#setBus(activeSubstitute[1], activeSubstitute[0].folder);
    } else if (!this.running && this.#isAccepted(kind, role)) this.#setBus(bus, sourceProfile);
  }

  #unsupportedIn(packet: MediaPacket): 'hevc' | 'av1' | 'b_frames' | null {
    if (packet.kind !== 'video') return null;
    const { codec } = packet;
    if (codec === 'hevc' || codec === 'av1') return codec;
    return this.#reordering.observe(packet) && !this.#acceptsReordering ? 'b_frames' : null;
  }

  /** Whether a packet of the source shows that targets accept the source. */
  #isAccepted(kind: MediaPacket['kind'], role: MediaPacket['role']): boolean {
    if (this.#unsupported === null) return kind === 'video' || role === 'frame';
    // The slate is H.264, and audio belongs to the video that targets do not accept.
    return kind === 'video' && this.#substitutes.size === 0;
  }

  #setBus(bus: PacketBus, folder: string): void {
    this.#bus = bus;
    this.#folder = folder;
    for (const settle of [...this.#waiting]) settle(bus);
  }
}
