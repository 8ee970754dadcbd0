import { createUnwrapper, type RtpPacket } from './rtp-packet';

export interface JitterLimits {
  /** How long to wait for a missing packet, ms. */
  readonly waitMs: number;
  /** Interval between retransmission requests for the same packet, ms. */
  readonly repeatMs: number;
  /** Maximum number of packets that wait behind a missing one. */
  readonly packets: number;
}

export const defaultJitterLimits: JitterLimits = { waitMs: 500, repeatMs: 60, packets: 1_024 };

interface JitterEvents {
  /** Called with the next packet in the order of the sender. */
  readonly onPacket: (packet: RtpPacket) => void;
  /** Called when the packets missing before the next one are given up. */
  readonly onGap: () => void;
}

interface MissingPacket {
  readonly sinceMs: number;
  askedMs: number;
}

/** A larger jump of the sequence number is a restart of the sender, not a loss. */
const MAX_JUMP = 3_000;
const MAX_ASKED = 256;

/** Orders the packets of one sender and detects missing ones. A packet without a gap before it passes immediately. */
export class JitterBuffer {
  readonly #limits: JitterLimits;
  readonly #events: JitterEvents;
  readonly #waiting = new Map<number, RtpPacket>();
  readonly #missingPackets = new Map<number, MissingPacket>();
  #unwrap = createUnwrapper(16);
  /** Sequence number of the next packet to pass; null before the first packet. */
  #next: number | null = null;
  #first = 0;
  #highest = 0;
  #received = 0;
  /** Counters at the last report. */
  #reported = { expected: 0, received: 0 };

  constructor(events: JitterEvents, limits: JitterLimits = defaultJitterLimits) {
    this.#events = events;
    this.#limits = limits;
  }

  get highestSequence(): number {
    return this.#highest;
  }

  /** Number of packets that never arrived so far; duplicates count as received. */
  get lost(): number {
    return this.#next === null ? 0 : Math.max(0, this.#expected - this.#received);
  }

  push(packet: RtpPacket, now: number): void {
    let at = this.#unwrap(packet.sequence);
    if (this.#next === null || Math.abs(at - this.#highest) > MAX_JUMP) at = this.#restart(packet);
    this.#received += 1;
    if (at < (this.#next ?? at) || this.#waiting.has(at)) return;
    for (let sequence = this.#highest + 1; sequence < at; sequence += 1) {
      this.#missingPackets.set(sequence, { sinceMs: now, askedMs: -Infinity });
    }
    this.#highest = Math.max(this.#highest, at);
    this.#missingPackets.delete(at);
    this.#waiting.set(at, packet);
    this.#pass();
    this.#giveUp(now);
  }

  /** Gives up packets that have been missing for too long. @returns the sequence numbers to request again */
  tick(now: number): number[] {
    this.#giveUp(now);
    const dueSequences: number[] = [];
    for (const [at, missing] of this.#missingPackets) {
      if (dueSequences.length === MAX_ASKED) break;
      if (now - missing.askedMs < this.#limits.repeatMs) continue;
      missing.askedMs = now;
      dueSequences.push(((at % 65_536) + 65_536) % 65_536);
    }
    return dueSequences;
  }

  /** The ratio of packets lost since the last call, 0 to 1. */
  takeLostRatio(): number {
    const { expected, received } = this.#reported;
    this.#reported = { expected: this.#expected, received: this.#received };
    const newExpected = this.#expected - expected;
    const newLost = newExpected - (this.#received - received);
    return newExpected <= 0 || newLost <= 0 ? 0 : newLost / newExpected;
  }

  get #expected(): number {
    return this.#next === null ? 0 : this.#highest - this.#first + 1;
  }

  #restart(packet: RtpPacket): number {
    const isFirst = this.#next === null;
    this.#unwrap = createUnwrapper(16);
    const at = this.#unwrap(packet.sequence);
    this.#waiting.clear();
    this.#missingPackets.clear();
    this.#first = this.#next = at;
    this.#highest = at;
    this.#received = 0;
    this.#reported = { expected: 0, received: 0 };
    if (!isFirst) this.#events.onGap();
    return at;
  }

  #pass(): void {
    for (;;) {
      const next = this.#next ?? 0;
      const packet = this.#waiting.get(next);
      if (!packet) return;
      this.#waiting.delete(next);
      this.#next = next + 1;
      this.#events.onPacket(packet);
    }
  }

  /** Skips missing packets that were waited for long enough, or that too many packets wait behind. */
  #giveUp(now: number): void {
    let isGap = false;
    for (const [at, { sinceMs }] of this.#missingPackets) {
      if (now - sinceMs < this.#limits.waitMs && this.#waiting.size <= this.#limits.packets) break;
      this.#missingPackets.delete(at);
      if (at < (this.#next ?? at)) continue;
      isGap = true;
      this.#next = at + 1;
      if (this.#waiting.has(at + 1)) {
        this.#events.onGap();
        isGap = false;
        this.#pass();
      }
    }
    if (isGap) this.#events.onGap();
  }
}
