import { sequenceAfter, sequenceDistance } from './sequence';

/** Sequence numbers from first to last, inclusive. */
export interface SequenceRange {
  readonly firstSequence: number;
  readonly lastSequence: number;
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
  #nextSequence: number;
  /** Number of slots from the next sequence number to the newest packet. */
  #spannedSlots = 0;
  /** Number of these slots that are filled or given up. */
  #heldCount = 0;

  /** @param slotCount number of packets, a power of two */
  constructor(firstSequence: number, slotCount: number) {
    this.#nextSequence = firstSequence;
    this.#slots = Array.from({ length: slotCount }, () => undefined);
  }

  /** The sequence number that is delivered next. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  /** Number of missing packets before the newest one. */
  get missingCount(): number {
    return this.#spannedSlots - this.#heldCount;
  }

  /** Number of packets after the newest one that fit. */
  get freeSlots(): number {
    return this.#slots.length - this.#spannedSlots;
  }

  /** The sequence number after the newest packet. */
  get endSequence(): number {
    return sequenceAfter(this.#nextSequence, this.#spannedSlots);
  }

  /** Adds a received packet, unless it is repeated or outside the buffer. */
  put(sequence: number, item: T): Placement {
    const position = sequenceDistance(this.#nextSequence, sequence);
    if (position < 0) return 'repeated';
    if (position >= this.#slots.length) return 'beyond';
    if (this.#slots[this.#slotOf(position)] !== undefined) return 'repeated';
    this.#set(position, item);
    if (position < this.#spannedSlots) return 'filled';
    const isNext = position === this.#spannedSlots;
    this.#spannedSlots = position + 1;
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
    for (let position = 0; position < this.#spannedSlots; position++) {
      const item = this.#slots[this.#slotOf(position)];
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
    while (this.#spannedSlots > 0 && this.#slots[this.#slotOf(0)] === undefined) {
      this.#advance();
      skippedCount += 1;
    }
    return skippedCount;
  }

  /**
   * Marks packets that the sender has given up.
   * @returns the number of missing ones
   */
  giveUp({ firstSequence, lastSequence }: SequenceRange): number {
    const firstPosition = Math.max(0, sequenceDistance(this.#nextSequence, firstSequence));
    const lastPosition = Math.min(sequenceDistance(this.#nextSequence, lastSequence), this.#slots.length - 1);
    let givenUpCount = 0;
    for (let position = firstPosition; position <= lastPosition; position++) {
      if (this.#slots[this.#slotOf(position)] !== undefined) continue;
      this.#set(position, GIVEN_UP);
      givenUpCount += 1;
    }
    this.#spannedSlots = Math.max(this.#spannedSlots, lastPosition + 1);
    return givenUpCount;
  }

  /**
   * The missing ranges, oldest first.
   * @param maxRanges maximum number of ranges
   */
  listMissing(maxRanges: number): SequenceRange[] {
    const ranges: SequenceRange[] = [];
    for (let position = 0; position < this.#spannedSlots && ranges.length < maxRanges; position++) {
      if (this.#slots[this.#slotOf(position)] !== undefined) continue;
      const firstMissing = position;
      while (position + 1 < this.#spannedSlots && this.#slots[this.#slotOf(position + 1)] === undefined)
        position += 1;
      ranges.push({
        firstSequence: sequenceAfter(this.#nextSequence, firstMissing),
        lastSequence: sequenceAfter(this.#nextSequence, position),
      });
    }
    return ranges;
  }

  #set(position: number, item: T | typeof GIVEN_UP): void {
    this.#slots[this.#slotOf(position)] = item;
    this.#heldCount += 1;
  }

  #advance(): void {
    const slot = this.#slotOf(0);
    if (this.#slots[slot] !== undefined) this.#heldCount -= 1;
    this.#slots[slot] = undefined;
    this.#nextSequence = sequenceAfter(this.#nextSequence, 1);
    this.#spannedSlots -= 1;
  }

  /**
   * Index in the ring of slots.
   * @param position number of packets after the next one to deliver
   */
  #slotOf(position: number): number {
    return sequenceAfter(this.#nextSequence, position) % this.#slots.length;
  }
}
