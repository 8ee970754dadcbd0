import { createUnwrapper, type RtpPacket } from './rtp-packet';

export interface JitterLimits {
  /** How long to wait for a missing packet, ms. */
  readonly maxWaitMs: number;
  /** Interval between retransmission requests for the same packet, ms. */
  readonly requestIntervalMs: number;
  /** Maximum number of packets that wait behind a missing one. */
  readonly maxPackets: number;
}

export const defaultJitterLimits: JitterLimits = { maxWaitMs: 500, requestIntervalMs: 60, maxPackets: 1_024 };

interface JitterEvents {
  /** Called with the next packet in the order of the sender. */
  readonly onPacket: (packet: RtpPacket) => void;
  /** Called when packets that are missing before the next one are given up. */
  readonly onGap: () => void;
}

/** Monotonic milliseconds at which a packet was found missing and last requested. */
interface MissingPacket {
  readonly missingSinceMs: number;
  requestedAtMs: number;
}

/** A larger jump of the sequence number is a restart of the sender, not a loss. */
const MAX_JUMP = 3_000;
/** Maximum number of packets requested at once. */
const MAX_REQUESTED = 256;

/**
 * Puts the packets of one sender in order and detects missing packets. A packet without a gap before it passes
 * immediately.
 */
export class JitterBuffer {
  readonly #limits: JitterLimits;
  readonly #events: JitterEvents;
  readonly #waitingPackets = new Map<number, RtpPacket>();
  readonly #missingPackets = new Map<number, MissingPacket>();
  #unwrap = createUnwrapper(16);
  /** Sequence number of the next packet to pass; null before the first packet. */
  #nextSequence: number | null = null;
  #firstSequence = 0;
  #highestReceived = 0;
  #receivedCount = 0;
  /** Counters at the last report. */
  #countersAtReport = { expected: 0, received: 0 };

  constructor(events: JitterEvents, limits: JitterLimits = defaultJitterLimits) {
    this.#events = events;
    this.#limits = limits;
  }

  /** Extended sequence number of the newest packet: the upper bits count wraps. */
  get highestSequence(): number {
    return this.#highestReceived;
  }

  /** Number of packets that have not arrived. Duplicates count as received (RFC 3550 §6.4.1). */
  get lostCount(): number {
    return this.#nextSequence === null ? 0 : Math.max(0, this.#expectedCount - this.#receivedCount);
  }

  push(packet: RtpPacket, monotonicMs: number): void {
    let extendedSequence = this.#unwrap(packet.sequence);
    if (this.#nextSequence === null || Math.abs(extendedSequence - this.#highestReceived) > MAX_JUMP)
      extendedSequence = this.#restart(packet);
    this.#receivedCount += 1;
    if (
      extendedSequence < (this.#nextSequence ?? extendedSequence) ||
      this.#waitingPackets.has(extendedSequence)
    )
      return;
    for (let sequence = this.#highestReceived + 1; sequence < extendedSequence; sequence += 1) {
      this.#missingPackets.set(sequence, { missingSinceMs: monotonicMs, requestedAtMs: -Infinity });
    }
    this.#highestReceived = Math.max(this.#highestReceived, extendedSequence);
    this.#missingPackets.delete(extendedSequence);
    this.#waitingPackets.set(extendedSequence, packet);
    this.#deliver();
    this.#giveUp(monotonicMs);
  }

  /**
   * Gives up packets that have been missing for too long.
   * @returns the 16-bit sequence numbers to request again
   */
  tick(monotonicMs: number): number[] {
    this.#giveUp(monotonicMs);
    const dueSequences: number[] = [];
    for (const [sequence, missingPacket] of this.#missingPackets) {
      if (dueSequences.length === MAX_REQUESTED) break;
      if (monotonicMs - missingPacket.requestedAtMs < this.#limits.requestIntervalMs) continue;
      missingPacket.requestedAtMs = monotonicMs;
      dueSequences.push(((sequence % 65_536) + 65_536) % 65_536);
    }
    return dueSequences;
  }

  /** The ratio of packets lost since the last call, 0 to 1. */
  takeLostRatio(): number {
    const { expected, received } = this.#countersAtReport;
    this.#countersAtReport = { expected: this.#expectedCount, received: this.#receivedCount };
    const newExpected = this.#expectedCount - expected;
    const newLost = newExpected - (this.#receivedCount - received);
    return newExpected <= 0 || newLost <= 0 ? 0 : newLost / newExpected;
  }

  get #expectedCount(): number {
    return this.#nextSequence === null ? 0 : this.#highestReceived - this.#firstSequence + 1;
  }

  /** Starts with this packet and drops all waiting ones; returns its extended sequence number. */
  #restart(packet: RtpPacket): number {
    const isFirst = this.#nextSequence === null;
    this.#unwrap = createUnwrapper(16);
    const sequence = this.#unwrap(packet.sequence);
    this.#waitingPackets.clear();
    this.#missingPackets.clear();
    this.#firstSequence = this.#nextSequence = sequence;
    this.#highestReceived = sequence;
    this.#receivedCount = 0;
    this.#countersAtReport = { expected: 0, received: 0 };
    if (!isFirst) this.#events.onGap();
    return sequence;
  }

  #deliver(): void {
    for (;;) {
      const nextSequence = this.#nextSequence ?? 0;
      const packet = this.#waitingPackets.get(nextSequence);
      if (!packet) return;
      this.#waitingPackets.delete(nextSequence);
      this.#nextSequence = nextSequence + 1;
      this.#events.onPacket(packet);
    }
  }

  /** Skips packets that have been missing for too long, or behind which too many packets wait. */
  #giveUp(monotonicMs: number): void {
    let hasUnreportedGap = false;
    for (const [sequence, { missingSinceMs }] of this.#missingPackets) {
      if (
        monotonicMs - missingSinceMs < this.#limits.maxWaitMs &&
        this.#waitingPackets.size <= this.#limits.maxPackets
      )
        break;
      this.#missingPackets.delete(sequence);
      if (sequence < (this.#nextSequence ?? sequence)) continue;
      hasUnreportedGap = true;
      this.#nextSequence = sequence + 1;
      if (this.#waitingPackets.has(sequence + 1)) {
        this.#events.onGap();
        hasUnreportedGap = false;
        this.#deliver();
      }
    }
    if (hasUnreportedGap) this.#events.onGap();
  }
}
