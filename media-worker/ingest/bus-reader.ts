import type { MediaPacket } from './media-packet';
import { PacketQueue, type QueueLimits } from './packet-queue';

/** A reader of a PacketBus that goes at its own pace; what it cannot keep up with is dropped up to a key frame. */
export class BusReader implements AsyncIterable<MediaPacket> {
  readonly #queue: PacketQueue;
  readonly #onClose: (reader: BusReader) => void;
  #ended = false;
  #wake: (() => void) | null = null;

  constructor(limits: QueueLimits, onClose: (reader: BusReader) => void) {
    this.#queue = new PacketQueue(limits);
    this.#onClose = onClose;
  }

  get dropped(): number {
    return this.#queue.dropped;
  }

  /** The bus hands over a packet. */
  offer(packet: MediaPacket): void {
    if (this.#ended) return;
    this.#queue.add(packet);
    this.#stir();
  }

  /** The bus has ended: what is queued can still be read. */
  finish(): void {
    this.#ended = true;
    this.#stir();
  }

  /** The next packet, waiting for it; undefined once the bus has ended or the reader was closed. One call at a time. */
  async next(): Promise<MediaPacket | undefined> {
    while (this.#queue.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#queue.take();
  }

  /** Reads no more and forgets the backlog. May be called twice. */
  close(): void {
    this.#queue.clear();
    this.finish();
    this.#onClose(this);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<MediaPacket, void, void> {
    try {
      for (let packet = await this.next(); packet; packet = await this.next()) yield packet;
    } finally {
      this.close();
    }
  }

  #stir(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
