import { sequenceAfter, sequenceDistance } from './sequence';

/** Sequence numbers from first to last, inclusive. */
export interface SequenceRange {
  readonly firstSequence: number;
  readonly lastSequence: number;
}

/**
 * Where a received packet belongs. `next`: at the end of the buffer. `ahead`: after the end, so the packets between them are
 * missing. `filled`: before the end, where it was missing. `repeated`: already received, dropped or skipped. `beyond`: too far
 * after the end to fit into the buffer.
 */
export type Placement = 'next' | 'ahead' | 'filled' | 'repeated' | 'beyond';

/** Marks the slot of a missing packet that the sender will not send again (SRT drop request). */
const DROPPED = Symbol('dropped');

/**
 * Packets that wait for missing packets before them, by sequence number. A packet without a gap before it can be taken
 * immediately.
 */
export class ReceiveBuffer<T> {
  readonly #slots: (T | typeof DROPPED | undefined)[];
  #nextSequence: number;
  /** Number of slots from the next sequence number to the last one that was received or dropped. */
  #spannedSlots = 0;
  /** Number of these slots that contain a packet or are marked as dropped. */
  #settledCount = 0;

  /**
   * @param slotCount maximum number of packets. It must be a power of two: then it divides the 2^31 sequence numbers, and
   * the slots stay consecutive where the sequence number wraps to 0
   */
  constructor(firstSequence: number, slotCount: number) {
    this.#nextSequence = firstSequence;
    this.#slots = Array.from({ length: slotCount }, () => undefined);
  }

  /** The sequence number that is delivered next. */
  get nextSequence(): number {
    return this.#nextSequence;
  }

  /** Number of packets that are missing before the end of the buffer. */
  get missingCount(): number {
    return this.#spannedSlots - this.#settledCount;
  }

  /** Number of packets from the end of the buffer that fit. */
  get freeSlots(): number {
    return this.#slots.length - this.#spannedSlots;
  }

  /** The end of the buffer: the number after the last sequence number that was received or dropped. */
  get endSequence(): number {
    return sequenceAfter(this.#nextSequence, this.#spannedSlots);
  }

  /** Adds a received packet, unless it is repeated or outside the buffer. */
  put(sequence: number, item: T): Placement {
    const offset = sequenceDistance(this.#nextSequence, sequence);
    if (offset < 0) return 'repeated';
    if (offset >= this.#slots.length) return 'beyond';
    if (this.#slots[this.#slotOf(offset)] !== undefined) return 'repeated';
    this.#set(offset, item);
    if (offset < this.#spannedSlots) return 'filled';
    const isNext = offset === this.#spannedSlots;
    this.#spannedSlots = offset + 1;
    return isNext ? 'next' : 'ahead';
  }

  /** Removes and returns the next packet in order, after dropped ones; null if it has not arrived. */
  take(): T | null {
    while (this.#settledCount > 0) {
      const item = this.#slots[this.#slotOf(0)];
      if (item === undefined) return null;
      this.#advance();
      if (item !== DROPPED) return item;
    }
    return null;
  }

  /** The packet with the lowest sequence number in the buffer; null without packets. */
  firstBuffered(): T | null {
    for (let offset = 0; offset < this.#spannedSlots; offset++) {
      const item = this.#slots[this.#slotOf(offset)];
      if (item !== undefined && item !== DROPPED) return item;
    }
    return null;
  }

  /**
   * Skips the gap at the next sequence number, which `take` waits for.
   * @returns the number of missing packets skipped; 0 without a gap
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
   * Marks packets as dropped that the sender will not send again. Received packets of the range are kept.
   * @returns the number of packets that were missing and are now dropped
   */
  markDropped({ firstSequence, lastSequence }: SequenceRange): number {
    const firstOffset = Math.max(0, sequenceDistance(this.#nextSequence, firstSequence));
    const lastOffset = Math.min(sequenceDistance(this.#nextSequence, lastSequence), this.#slots.length - 1);
    let newlyDroppedCount = 0;
    for (let offset = firstOffset; offset <= lastOffset; offset++) {
      if (this.#slots[this.#slotOf(offset)] !== undefined) continue;
      this.#set(offset, DROPPED);
      newlyDroppedCount += 1;
    }
    this.#spannedSlots = Math.max(this.#spannedSlots, lastOffset + 1);
    return newlyDroppedCount;
  }

  /**
   * The missing ranges, oldest first.
   * @param maxRanges maximum number of ranges
   */
  listMissing(maxRanges: number): SequenceRange[] {
    const ranges: SequenceRange[] = [];
    for (let offset = 0; offset < this.#spannedSlots && ranges.length < maxRanges; offset++) {
      if (this.#slots[this.#slotOf(offset)] !== undefined) continue;
      const firstMissing = offset;
      while (offset + 1 < this.#spannedSlots && this.#slots[this.#slotOf(offset + 1)] === undefined)
        offset += 1;
      ranges.push({
        firstSequence: sequenceAfter(this.#nextSequence, firstMissing),
        lastSequence: sequenceAfter(this.#nextSequence, offset),
      });
    }
    return ranges;
  }

  #set(offset: number, item: T | typeof DROPPED): void {
    this.#slots[this.#slotOf(offset)] = item;
    this.#settledCount += 1;
  }

  #advance(): void {
    const slot = this.#slotOf(0);
    if (this.#slots[slot] !== undefined) this.#settledCount -= 1;
    this.#slots[slot] = undefined;
    this.#nextSequence = sequenceAfter(this.#nextSequence, 1);
    this.#spannedSlots -= 1;
  }

  /**
   * Index of a slot in the ring of slots.
   * @param offset difference to the sequence number that is delivered next
   */
  #slotOf(offset: number): number {
    return sequenceAfter(this.#nextSequence, offset) % this.#slots.length;
  }
}
