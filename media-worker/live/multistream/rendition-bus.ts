import { sourceProfile } from '@/lib/core/renditions/profile-rules';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { formatTargetMessage } from '@/lib/core/targets/target-finding';
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
  readonly #pendingResolvers = new Set<(bus: PacketBus) => void>();
  readonly #unsubscribeByRendition = new Map<Rendition, () => void>();
  #bus: PacketBus | null = null;
  #folder: string | null = null;
  readonly #acceptsReordering: boolean;
  /** The reason why the target does not accept the source; null if the target accepts it. */
  #unsupportedFeature: 'hevc' | 'av1' | 'b_frames' | null = null;
  #reordering = new Reordering();
  /** Buses of the other renditions, one of which replaces a source that the target does not accept. */
  readonly #substitutes = new Map<Rendition, PacketBus>();
  /** When the source started, in monotonic milliseconds; null without one. */
  #sourceSinceMs: number | null = null;

  /** @param now returns monotonic milliseconds */
  constructor(
    name: string,
    renditions: Renditions,
    now: () => number,
    { acceptsReordering }: { readonly acceptsReordering: boolean } = {
      acceptsReordering: true,
    },
  ) {
    this.#acceptsReordering = acceptsReordering;
    this.#name = name;
    this.#now = now;
    this.#unsubscribers = [
      renditions.source.onBus((bus) => {
        this.#sourceSinceMs = now();
        this.#unsupportedFeature = null;
        this.#reordering = new Reordering();
        bus.subscribe({
          packet: (packet) => this.#onSourcePacket(bus, packet),
          end: () => (this.#sourceSinceMs = null),
        });
      }),
      renditions.observe({
        onAdd: (rendition) => this.#onAdd(rendition),
        onRemove: (rendition) => {
          this.#substitutes.delete(rendition);
          this.#unsubscribeByRendition.get(rendition)?.();
          this.#unsubscribeByRendition.delete(rendition);
        },
      }),
    ];
  }

  /** The current bus; null if there is none or it has ended. */
  get runningBus(): PacketBus | null {
    return this.#bus && !this.#bus.ended ? this.#bus : null;
  }

  /** Folder of the rendition that has the current bus; null before the first one. */
  get folder(): string | null {
    return this.#folder;
  }

  /** Milliseconds for which the source has existed without this rendition. */
  get absentMs(): number {
    return this.runningBus || this.#sourceSinceMs === null ? 0 : this.#now() - this.#sourceSinceMs;
  }

  /** Waits for a bus: resolves with the current one or the next one, or with null when the signal aborts. */
  waitForBus(signal: AbortSignal): Promise<PacketBus | null> {
    if (this.runningBus || signal.aborted) return Promise.resolve(signal.aborted ? null : this.runningBus);
    return new Promise((resolve) => {
      const settle = (bus: PacketBus | null) => {
        this.#pendingResolvers.delete(settle);
        signal.removeEventListener('abort', abort);
        resolve(bus);
      };
      const abort = () => settle(null);
      signal.addEventListener('abort', abort);
      this.#pendingResolvers.add(settle);
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
    const unsubscribers = [...this.#unsubscribers.splice(0), ...this.#unsubscribeByRendition.values()];
    for (const unsubscribe of unsubscribers) unsubscribe();
    this.#unsubscribeByRendition.clear();
  }

  /** The reason why there is nothing to send, as a message for users. */
  get absenceReason(): string {
    if (this.#unsupportedFeature === null) return `the rendition "${this.#name}" is not running`;
    if (this.#unsupportedFeature === 'b_frames')
      return formatTargetMessage({ outcome: 'b_frames' }, noDestination);
    const codec = this.#unsupportedFeature === 'hevc' ? 'HEVC' : 'AV1';
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
        if (this.#unsupportedFeature !== null && !this.runningBus) this.#setBus(bus, rendition.folder);
      });
  }

  #follow(rendition: Rendition, onBus: (bus: PacketBus) => void): void {
    this.#unsubscribeByRendition.set(rendition, rendition.onSessionBus(onBus));
  }

  #onSourcePacket(bus: PacketBus, packet: MediaPacket): void {
    if (this.#name !== sourceProfile) return;
    const { kind, role } = packet;
    const feature = this.#findUnsupportedFeature(packet);
    if (feature) {
      this.#unsupportedFeature = feature;
      if (this.#bus === bus) this.#bus = null;
      const activeSubstitute = [...this.#substitutes].find(([, { ended }]) => !ended);
      if (activeSubstitute && !this.runningBus) this.#setBus(activeSubstitute[1], activeSubstitute[0].folder);
    } else if (!this.runningBus && this.#isAccepted(kind, role)) this.#setBus(bus, sourceProfile);
  }

  #findUnsupportedFeature(packet: MediaPacket): 'hevc' | 'av1' | 'b_frames' | null {
    if (packet.kind !== 'video') return null;
    const { codec } = packet;
    if (codec === 'hevc' || codec === 'av1') return codec;
    return this.#reordering.observe(packet) && !this.#acceptsReordering ? 'b_frames' : null;
  }

  /** Whether a packet of the source shows that targets accept the source. */
  #isAccepted(kind: MediaPacket['kind'], role: MediaPacket['role']): boolean {
    if (this.#unsupportedFeature === null) return kind === 'video' || role === 'frame';
    // The slate is H.264, and audio belongs to the video that targets do not accept.
    return kind === 'video' && this.#substitutes.size === 0;
  }

  #setBus(bus: PacketBus, folder: string): void {
    this.#bus = bus;
    this.#folder = folder;
    for (const settle of [...this.#pendingResolvers]) settle(bus);
  }
}
