/** A larger forward step starts a new timeline instead of a pause: no player waits ten seconds for the next frame. */
const JUMP_MS = 10_000;
/** Smaller backward steps are jitter of the encoder and are corrected; larger ones mean that its clock was set. */
const JITTER_MS = 100;

type Track = 'video' | 'audio';

/**
 * Decision about a packet: it is placed on the media timeline (ms), dropped, or starts a new timeline. `early`:
 * audio before the first video frame, which many encoders send.
 */
export type Placement =
  | { readonly kind: 'place'; readonly dts: number; readonly pts: number }
  | { readonly kind: 'early' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'jump' };

interface PacketTimes {
  readonly kind: Track;
  readonly dts: number;
  readonly pts: number;
}

const DROP: Placement = { kind: 'drop' };
const EARLY: Placement = { kind: 'early' };
const JUMP: Placement = { kind: 'jump' };

/**
 * Maps the publisher's clock onto the media timeline with one offset for both tracks, so that they stay in sync.
 * One track is the master (video if there is any): only its jumps begin a new timeline. Packets of the other track
 * far from the master are dropped: after a clock reset they arrive first, and are not sufficient evidence of a
 * reset.
 */
export class Timeline {
  readonly #master: Track;
  readonly #startMs: number;
  readonly #offset: number;
  /** Media time of the latest packet of either track. */
  #leadMs: number;
  #lastMasterDts: number;

  /** @param first the master's first packet; its earliest time becomes `startMs` */
  constructor(first: PacketTimes, startMs: number) {
    this.#master = first.kind;
    this.#startMs = startMs;
    // With a negative composition offset, the presentation time precedes the decode time; both must not precede the
    // start.
    this.#offset = startMs - Math.min(first.dts, first.pts);
    this.#leadMs = startMs;
    this.#lastMasterDts = startMs - 1;
  }

  place(packet: PacketTimes): Placement {
    const mappedDts = packet.dts + this.#offset;
    return packet.kind === this.#master
      ? this.#placeMaster(mappedDts, packet)
      : this.#placeOther(mappedDts, packet);
  }

  #placeMaster(mappedDts: number, packet: PacketTimes): Placement {
    if (mappedDts > this.#leadMs + JUMP_MS || mappedDts < this.#lastMasterDts - JITTER_MS) return JUMP;
    const dts = Math.max(mappedDts, this.#lastMasterDts + 1);
    this.#lastMasterDts = dts;
    return this.#placeAt(dts, packet);
  }

  #placeOther(mappedDts: number, packet: PacketTimes): Placement {
    if (Math.abs(mappedDts - this.#leadMs) > JUMP_MS) return DROP;
    if (mappedDts < this.#startMs) return EARLY;
    return this.#placeAt(mappedDts, packet);
  }

  #placeAt(dts: number, packet: PacketTimes): Placement {
    this.#leadMs = Math.max(this.#leadMs, dts);
    return { kind: 'place', dts, pts: packet.pts + this.#offset };
  }
}
