import { sequenceAfter, sequenceDistance } from './sequence';

/** Sequence numbers from first to last, inclusive. */
export interface SequenceRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Position of a received packet. `next`: the packet after the newest one. `ahead`: packets between the newest one
 * and this packet are missing. `filled`: the packet was missing. `repeated`: already received or given up.
 * `beyond`: outside the buffer.
 */
export type Placement = 'next' | 'ahead' | 'filled' | 'repeated' | 'beyond';

/** Marks the slot of a packet that the sender will not send again. */
const GIVEN_UP = Symbol('given up');

/** Packets that wait for missing packets before them, by sequence number. Packets in order only pass through. */
export class ReceiveBuffer<T> {
  readonly #slots: (T | typeof GIVEN_UP | undefined)[];
  #next: number;
  /** Number of slots from `next` to the newest packet. */
  #span = 0;
  #heldCount = 0;

  /** @param size number of packets, a power of two */
  constructor(first: number, size: number) {
    this.#next = first;
    this.#slots = Array.from({ length: size }, () => undefined);
  }

  /** The sequence number that is delivered next. */
  get next(): number {
    return this.#next;
  }

  get missingCount(): number {
    return this.#span - this.#heldCount;
  }

  get freeSlots(): number {
    return this.#slots.length - this.#span;
  }

  /** The sequence number after the newest packet. */
  get end(): number {
    return sequenceAfter(this.#next, this.#span);
  }

  put(sequence: number, item: T): Placement {
    const at = sequenceDistance(this.#next, sequence);
    if (at < 0) return 'repeated';
    if (at >= this.#slots.length) return 'beyond';
    if (this.#slots[this.#slotOf(at)] !== undefined) return 'repeated';
    this.#set(at, item);
    if (at < this.#span) return 'filled';
    const isNext = at === this.#span;
    this.#span = at + 1;
    return isNext ? 'next' : 'ahead';
  }

  /** Removes and returns the next packet in order; null if it has not arrived. */
  take(): T | null {
    while (this.#heldCount > 0) {
      const item = this.#slots[this.#slotOf(0)];
      if (item === undefined) return null;
      this.#advance();
      if (item !== GIVEN_UP) return item;
    }
    return null;
  }

  /** The first packet after the gap that stops `take`. */
  firstHeld(): T | null {
    for (let at = 0; at < this.#span; at++) {
      const item = this.#slots[this.#slotOf(at)];
      if (item !== undefined && item !== GIVEN_UP) return item;
    }
    return null;
  }

  /**
   * Gives up the gap that stops `take`.
   * @returns the number of packets given up
   */
  skipGap(): number {
    let skippedCount = 0;
    while (this.#span > 0 && this.#slots[this.#slotOf(0)] === undefined) {
      this.#advance();
      skippedCount += 1;
    }
    return skippedCount;
  }

  /**
   * Marks packets that the sender has given up.
   * @returns the number of missing ones
   */
  giveUp({ from, to }: SequenceRange): number {
    const first = Math.max(0, sequenceDistance(this.#next, from));
    const last = Math.min(sequenceDistance(this.#next, to), this.#slots.length - 1);
    let givenUpCount = 0;
    for (let at = first; at <= last; at++) {
      if (this.#slots[this.#slotOf(at)] !== undefined) continue;
      this.#set(at, GIVEN_UP);
      givenUpCount += 1;
    }
    this.#span = Math.max(this.#span, last + 1);
    return givenUpCount;
  }

  /**
   * The missing ranges, oldest first.
   * @param maxRanges maximum number of ranges
   */
  losses(maxRanges: number): SequenceRange[] {
    const ranges: SequenceRange[] = [];
    for (let at = 0; at < this.#span && ranges.length < maxRanges; at++) {
      if (this.#slots[this.#slotOf(at)] !== undefined) continue;
      const from = at;
      while (at + 1 < this.#span && this.#slots[this.#slotOf(at + 1)] === undefined) at += 1;
      ranges.push({ from: sequenceAfter(this.#next, from), to: sequenceAfter(this.#next, at) });
    }
    return ranges;
  }

  #set(at: number, item: T | typeof GIVEN_UP): void {
    this.#slots[this.#slotOf(at)] = item;
    this.#heldCount += 1;
  }

  #advance(): void {
    const slot = this.#slotOf(0);
    if (this.#slots[slot] !== undefined) this.#heldCount -= 1;
    this.#slots[slot] = undefined;
    this.#next = sequenceAfter(this.#next, 1);
    this.#span -= 1;
  }

  #slotOf(at: number): number {
    return sequenceAfter(this.#next, at) % this.#slots.length;
  }
}
