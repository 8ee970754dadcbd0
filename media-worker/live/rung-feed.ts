import type { MediaPacket } from '../ingest/media-packet';
import { PacketBus } from '../ingest/packet-bus';
import type { Rendition } from './rendition';
import { RungPackager, type RungPackagerOptions } from './rung-packager';

export interface RungFeedOptions extends Omit<RungPackagerOptions, 'window'> {
  readonly rendition: Rendition;
  readonly onError: (error: unknown) => void;
}

/** Sound waits for the picture it belongs to, but for no more packets than these: three minutes of AAC. */
const MOST_WAITING = 8192;

/**
 * Joins the encoded picture of one rung with the source's own sound, in the order of their decode times, onto a bus;
 * the packager of the rung reads it first.
 */
export class RungFeed {
  readonly #bus: PacketBus;
  readonly #packager: RungPackager;
  readonly #fromMsn: number;
  #sound: MediaPacket[] = [];
  #pictureMs = -Infinity;

  constructor({ rendition, onError, ...options }: RungFeedOptions) {
    this.#bus = new PacketBus({ onSubscriberError: onError });
    const packager = new RungPackager({ ...options, window: rendition.window });
    this.#packager = packager;
    this.#fromMsn = options.fromMsn;
    this.#bus.subscribe({
      packet: (packet) => packager.push(packet),
      end: (reason) => {
        // A rung that was broken off has not got all of its last segment.
        if (reason === 'finished') packager.finish();
      },
    });
    rendition.begin(this.#bus);
  }

  /** Decode time of the newest picture, media ms. */
  get pictureMs(): number {
    return this.#pictureMs;
  }

  /** The highest segment number that was begun, here or before. */
  get lastMsn(): number {
    return this.#packager.lastMsn ?? this.#fromMsn - 1;
  }

  picture(packet: MediaPacket): void {
    if (packet.role === 'frame') {
      this.#pictureMs = packet.dts;
      this.#soundUntil(packet.dts);
    }
    this.#bus.push(packet);
  }

  sound(packet: MediaPacket): void {
    if (packet.role === 'config') this.#bus.push(packet);
    else this.#sound.push(packet);
    if (this.#sound.length > MOST_WAITING) this.#sound.shift();
  }

  /** @param whole everything that was to come has come */
  end(whole: boolean): void {
    if (whole) this.#soundUntil(Infinity);
    this.#bus.end(whole ? 'finished' : 'cut');
  }

  #soundUntil(ms: number): void {
    const later = this.#sound.findIndex((packet) => packet.dts > ms);
    const due = this.#sound.splice(0, later === -1 ? this.#sound.length : later);
    for (const packet of due) this.#bus.push(packet);
  }
}
