import { KeyframeGate } from './keyframe-gate';
import type { MediaPacket } from './media-packet';

/** Limits of the queue of one reader: the first one that is exceeded applies. */
export interface QueueLimits {
  readonly packets: number;
  readonly bytes: number;
  /** Time from the first to the last frame on the publisher's clock. */
  readonly durationMs: number;
}

/** The queue of one reader. When it is full, all frames up to the next keyframe are dropped and counted. */
export class PacketQueue {
  readonly #limits: QueueLimits;
  readonly #onDropped: (packets: number) => void;
  readonly #gate = new KeyframeGate();
  #packets: MediaPacket[] = [];
  #bytes = 0;
  #droppedCount = 0;

  constructor(limits: QueueLimits, onDropped: (packets: number) => void = () => undefined) {
    this.#limits = limits;
    this.#onDropped = onDropped;
  }

  /** Number of packets that were dropped because the reader was slow. Packets before its first keyframe do not count. */
  get droppedCount(): number {
    return this.#droppedCount;
  }

  get length(): number {
    return this.#packets.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a packet, unless it cannot be decoded because of dropped packets. */
  add(packet: MediaPacket): void {
    if (!this.#gate.accepts(packet)) {
      if (this.#droppedCount > 0) this.#countDropped(1);
      return;
    }
    this.#packets.push(packet);
    this.#bytes += packet.payload.length;
    if (this.#isFull()) this.#makeRoom();
  }

  /** Removes and returns the oldest packet. */
  take(): MediaPacket | undefined {
    const packet = this.#packets.shift();
    this.#bytes -= packet?.payload.length ?? 0;
    return packet;
  }

  clear(): void {
    this.#packets = [];
    this.#bytes = 0;
  }

  #isFull(): boolean {
    const { packets, bytes, durationMs } = this.#limits;
    return this.#packets.length > packets || this.#bytes > bytes || this.#durationMs() > durationMs;
  }

  #durationMs(): number {
    const first = this.#packets.find((packet) => packet.role === 'frame');
    const last = this.#packets.at(-1);
    return first && last?.role === 'frame' ? last.dts - first.dts : 0;
  }

  #makeRoom(): void {
    do this.#dropUntilNextStart();
    while (this.#isFull() && this.#packets.some((packet) => packet.role === 'frame'));
  }

  /** Drops the frames before the next point where decoding can start, or all frames if there is none. */
  #dropUntilNextStart(): void {
    const firstIndex = this.#packets.findIndex((packet) => packet.role === 'frame');
    const startIndex = this.#packets.findIndex(
      (packet, index) => index > firstIndex && this.#isStart(packet),
    );
    const dropEnd = startIndex === -1 ? this.#packets.length : startIndex;
    if (startIndex === -1) this.#gate.close();
    const droppedPackets = this.#packets.slice(0, dropEnd);
    // Configurations are kept when the frames around them are dropped, because later frames need them.
    const configs = ['video', 'audio'].map((kind) =>
      droppedPackets.findLast((packet) => packet.role === 'config' && packet.kind === kind),
    );
    const keptConfigs = configs.filter((packet) => packet !== undefined);
    this.#countDropped(droppedPackets.filter((packet) => packet.role === 'frame').length);
    this.#packets = [...keptConfigs, ...this.#packets.slice(dropEnd)];
    this.#bytes = this.#packets.reduce((sum, packet) => sum + packet.payload.length, 0);
  }

  #countDropped(packets: number): void {
    this.#droppedCount += packets;
    this.#onDropped(packets);
  }

  /** Whether decoding can start at the packet. */
  #isStart(packet: MediaPacket): boolean {
    if (packet.role !== 'frame') return false;
    return packet.kind === 'video' ? packet.key : !this.#gate.hasVideo;
  }
}

/** A reader of a PacketBus with its own pace. When it falls behind, packets up to a keyframe are dropped. */
export class BusReader implements AsyncIterable<MediaPacket> {
  readonly #queue: PacketQueue;
  readonly #onClose: (reader: BusReader) => void;
  #ended = false;
  #wake: (() => void) | null = null;

  constructor(
    limits: QueueLimits,
    onClose: (reader: BusReader) => void,
    onDropped?: (packets: number) => void,
  ) {
    this.#queue = new PacketQueue(limits, onDropped);
    this.#onClose = onClose;
  }

  /** Number of packets that were dropped because the reader was slow. */
  get droppedCount(): number {
    return this.#queue.droppedCount;
  }

  /** Adds a packet for the reader; never waits. */
  offer(packet: MediaPacket): void {
    if (this.#ended) return;
    this.#queue.add(packet);
    this.#wakeReader();
  }

  /** Accepts no further packets; packets in the queue can still be read. */
  finish(): void {
    this.#ended = true;
    this.#wakeReader();
  }

  /**
   * Waits for the next packet. Only one call may be pending.
   * @returns undefined if the reader was closed, or the bus has ended and its last packet was read
   */
  async next(): Promise<MediaPacket | undefined> {
    while (this.#queue.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#queue.take();
  }

  /** Stops reading and empties the queue. Idempotent. */
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

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}
