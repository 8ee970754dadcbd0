import { BusReader, type QueueLimits } from './packet-queue';
import { GopCache } from './gop-cache';
import { KeyframeGate } from './keyframe-gate';
import type { MediaPacket } from './media-packet';
import type { PublishEnd, PublishIds, PublishSink } from './publish';

const MIB = 1024 * 1024;
const DEFAULT_QUEUE_LIMITS: QueueLimits = { packets: 4096, bytes: 16 * MIB, durationMs: 10_000 };
const DEFAULT_MAX_GOP_BYTES = 8 * MIB;

/** Receives each packet synchronously, for consumers in this process that never wait. */
export interface BusSubscriber {
  packet(packet: MediaPacket): void;
  end(reason: PublishEnd): void;
}

interface PacketBusOptions {
  readonly ids?: PublishIds | undefined;
  /** Maximum bytes of the current GOP that are kept for late readers; a larger GOP is not kept. */
  readonly maxGopBytes?: number;
  /** Called when a subscriber has thrown. That subscriber gets no more packets, and the others continue. */
  readonly onSubscriberError: (error: unknown) => void;
}

/**
 * One publisher, many readers. Every reader starts with the decoder configurations and the current GOP, and cannot
 * block the publisher or another reader.
 */
export class PacketBus implements PublishSink {
  readonly #options: PacketBusOptions;
  readonly #cache: GopCache;
  readonly #readers = new Set<BusReader>();
  readonly #subscribers = new Map<BusSubscriber, KeyframeGate>();
  #endReason: PublishEnd | null = null;

  constructor(options: PacketBusOptions) {
    this.#options = options;
    this.#cache = new GopCache(options.maxGopBytes ?? DEFAULT_MAX_GOP_BYTES);
  }

  get ids(): PublishIds | undefined {
    return this.#options.ids;
  }

  get ended(): boolean {
    return this.#endReason !== null;
  }

  push(packet: MediaPacket): void {
    if (this.#endReason !== null) return;
    this.#cache.add(packet);
    for (const reader of this.#readers) reader.offer(packet);
    for (const [subscriber, gate] of this.#subscribers) {
      if (gate.accepts(packet)) this.#deliver(subscriber, packet);
    }
  }

  end(reason: PublishEnd): void {
    if (this.#endReason !== null) return;
    this.#endReason = reason;
    for (const reader of this.#readers) reader.finish();
    for (const subscriber of this.#subscribers.keys()) this.#finish(subscriber, reason);
    this.#readers.clear();
    this.#subscribers.clear();
  }

  /**
   * Opens a reader with its own queue. A reader that is opened after the end of the bus gets no packets.
   * @param onDropped called with the number of packets just dropped
   */
  openReader(limits: Partial<QueueLimits> = {}, onDropped?: (packets: number) => void): BusReader {
    const onClose = (reader: BusReader) => void this.#readers.delete(reader);
    const reader = new BusReader({ ...DEFAULT_QUEUE_LIMITS, ...limits }, onClose, onDropped);
    if (this.#endReason !== null) {
      reader.finish();
      return reader;
    }
    for (const packet of this.#cache.snapshot()) reader.offer(packet);
    this.#readers.add(reader);
    return reader;
  }

  /**
   * Calls `subscriber` for every packet, starting with the configurations and the current GOP.
   * @returns a function that unsubscribes
   */
  subscribe(subscriber: BusSubscriber): () => void {
    if (this.#endReason !== null) {
      const reason = this.#endReason;
      this.#finish(subscriber, reason);
      return () => undefined;
    }
    const gate = new KeyframeGate();
    this.#subscribers.set(subscriber, gate);
    for (const packet of this.#cache.snapshot()) {
      if (this.#subscribers.has(subscriber) && gate.accepts(packet)) {
        this.#deliver(subscriber, packet);
      }
    }
    return () => void this.#subscribers.delete(subscriber);
  }

  #deliver(subscriber: BusSubscriber, packet: MediaPacket): void {
    try {
      subscriber.packet(packet);
    } catch (error) {
      this.#subscribers.delete(subscriber);
      this.#options.onSubscriberError(error);
    }
  }

  #finish(subscriber: BusSubscriber, reason: PublishEnd): void {
    try {
      subscriber.end(reason);
    } catch (error) {
      this.#options.onSubscriberError(error);
    }
  }
}
