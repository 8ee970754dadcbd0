import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import type { Rendition } from '@/media-worker/media/packaging/rendition';
import { positionOfKey, RenditionPackager, type RenditionPackagerOptions } from './rendition-packager';

export interface RenditionFeedOptions extends Omit<RenditionPackagerOptions, 'window'> {
  readonly rendition: Rendition;
  /** The previous feed of this rendition: it continues to the end of its segment, and this one takes over there. */
  readonly predecessor?: RenditionFeed | undefined;
  readonly onError: (error: unknown) => void;
}

/** Sound waits for the picture it belongs to, and a successor for its turn, but with no more packets than these. */
const MAX_WAITING = 8192;

/**
 * Joins the encoded picture of one rendition with the source's own sound, in the order of their decode times, onto a bus;
 * the packager of the rendition reads it first.
 */
export class RenditionFeed {
  readonly #options: RenditionFeedOptions;
  readonly #bus: PacketBus;
  readonly #packager: RenditionPackager;
  #sound: MediaPacket[] = [];
  /** What came before it was our turn; null when it is. */
  #waiting: MediaPacket[] | null = null;
  #pictureMs = -Infinity;
  #giveWay: (() => void) | null = null;
  #over = false;

  constructor(options: RenditionFeedOptions) {
    const { rendition, onError, predecessor } = options;
    this.#options = options;
    this.#bus = new PacketBus({ onSubscriberError: onError });
    const packager = new RenditionPackager({ ...options, window: rendition.window });
    this.#packager = packager;
    this.#bus.subscribe({
      packet: (packet) => packager.push(packet),
      end: (reason) => {
        // A rendition that was broken off has not got all of its last segment.
        if (reason === 'finished') packager.finish();
      },
    });
    this.#waiting = [];
    if (predecessor) predecessor.#makeWay(() => this.#lockAccount());
    else this.#lockAccount();
  }

  /** Decode time of the newest picture, media ms. */
  get pictureMs(): number {
    return this.#pictureMs;
  }

  /** The highest segment number in use, here or before. */
  get lastMsn(): number {
    return this.#packager.lastMsn ?? this.#options.fromMsn - 1;
  }

  get over(): boolean {
    return this.#over;
  }

  picture(packet: VideoPacket): void {
    if (packet.role === 'config') {
      this.#push(packet);
      return;
    }
    this.#pictureMs = packet.dts;
    if (this.#giveWay && this.#starts(packet, this.lastMsn + 1)) {
      this.#soundBefore(packet.dts);
      this.#sound = [];
      this.end(true);
      return;
    }
    if (this.#waiting && !this.#waiting.some(({ role }) => role === 'frame')) {
      // What the predecessor shows is not shown again.
      if (!this.#starts(packet, this.#options.fromMsn)) return;
      this.#sound = this.#sound.filter(({ dts }) => dts >= packet.dts);
    }
    this.#soundBefore(packet.dts);
    this.#push(packet);
  }

  sound(packet: MediaPacket): void {
    if (packet.role === 'config') this.#push(packet);
    else this.#sound.push(packet);
    if (this.#sound.length > MAX_WAITING) this.#sound.shift();
  }

  /**
   * May be called twice.
   * @param whole everything that was to come has come
   */
  end(complete: boolean): void {
    if (this.#over) return;
    this.#over = true;
    if (complete) this.#soundBefore(Infinity);
    this.#bus.end(complete ? 'finished' : 'cut');
    this.#giveWay?.();
  }

  /** Ends with the segment that is under construction, then calls `then`: at once when there is none. */
  #makeWay(whenFree: () => void): void {
    if (this.#over) whenFree();
    else {
      this.#giveWay = whenFree;
      if (this.#packager.lastMsn === undefined) this.end(false);
    }
  }

  #lockAccount(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    if (this.#over) return;
    this.#options.rendition.begin(this.#bus);
    for (const packet of waiting) this.#bus.push(packet);
  }

  #starts(packet: VideoPacket, msn: number): boolean {
    return packet.key && (positionOfKey(this.#options.leader, packet)?.msn ?? -1) >= msn;
  }

  #push(packet: MediaPacket): void {
    if (!this.#waiting) this.#bus.push(packet);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(packet);
  }

  #soundBefore(ms: number): void {
    const later = this.#sound.findIndex((packet) => packet.dts >= ms);
    const duePackets = this.#sound.splice(0, later === -1 ? this.#sound.length : later);
    for (const packet of duePackets) this.#push(packet);
  }
}
