/** A larger forward step is a new timeline, not a pause: no player waits ten seconds for the next frame. */
const JUMP_MS = 10_000;
/** Smaller steps back are jitter of the encoder and corrected; larger ones mean that its clock was set. */
const JITTER_MS = 100;

type Track = 'video' | 'audio';

/**
 * Where a packet goes: onto the media timeline (ms), nowhere, or onto a new timeline that begins with it. `early`: sound
 * before the first picture, which many encoders send.
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
 * Maps the publisher's clock onto the media timeline with one offset for both tracks, so that they stay in step. One
 * track is the master (video if there is any): only its jumps begin a new timeline. Packets of the other track far from
 * the master are dropped: after a clock reset they come first, and alone prove nothing.
 */
export class Timeline {
  readonly #master: Track;
  readonly #startMs: number;
  readonly #offset: number;
  /** Media time of the latest packet of either track. */
  #leadMs: number;
  #masterLast: number;

  /** @param first the master's first packet; its earliest time becomes `startMs` */
  constructor(first: PacketTimes, startMs: number) {
    this.#master = first.kind;
    this.#startMs = startMs;
    // With a negative composition time the presentation precedes the decode time: neither may be before the start.
    this.#offset = startMs - Math.min(first.dts, first.pts);
    this.#leadMs = startMs;
    this.#masterLast = startMs - 1;
  }

  place(packet: PacketTimes): Placement {
    const raw = packet.dts + this.#offset;
    return packet.kind === this.#master ? this.#placeMaster(raw, packet) : this.#placeOther(raw, packet);
  }

  #placeMaster(raw: number, packet: PacketTimes): Placement {
    if (raw > this.#leadMs + JUMP_MS || raw < this.#masterLast - JITTER_MS) return JUMP;
    const dts = Math.max(raw, this.#masterLast + 1);
    this.#masterLast = dts;
    return this.#at(dts, packet);
  }

  #placeOther(raw: number, packet: PacketTimes): Placement {
    if (Math.abs(raw - this.#leadMs) > JUMP_MS) return DROP;
    if (raw < this.#startMs) return EARLY;
    return this.#at(raw, packet);
  }

  #at(dts: number, packet: PacketTimes): Placement {
    this.#leadMs = Math.max(this.#leadMs, dts);
    return { kind: 'place', dts, pts: packet.pts + this.#offset };
  }
}
