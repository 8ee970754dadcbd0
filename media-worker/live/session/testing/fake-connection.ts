import type { PublishSource } from '@/lib/core/streams/publish-admission';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PublishEnd, PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';

/** Connection of a publisher without a socket. It passes packets to the sink until it is disconnected, like a real one. */
export class FakeConnection implements PublisherConnection {
  readonly id = 'connection';
  readonly ip = '127.0.0.1';
  readonly source: PublishSource;
  readonly #now: () => number;
  #sink: PublishSink | null = null;
  #lastMediaAtMs: number;
  endReason: PublishEnd | null = null;
  /** Message for the person at the encoder if its media was rejected. */
  rejectionMessage: string | undefined;

  /** @param now returns monotonic milliseconds */
  constructor(now: () => number, source: PublishSource = 'encoder') {
    this.source = source;
    this.#now = now;
    this.#lastMediaAtMs = now();
  }

  onAdmitted(sink: PublishSink): void {
    this.#sink = sink;
  }

  publish(packets: readonly MediaPacket[]): void {
    for (const packet of packets) {
      if (this.endReason) return;
      this.#lastMediaAtMs = this.#now();
      this.#sink?.push(packet);
    }
  }

  silentMs(): number {
    return this.#now() - this.#lastMediaAtMs;
  }

  disconnect(reason: PublishEnd, rejectionMessage?: string): void {
    if (this.endReason) return;
    this.endReason = reason;
    this.rejectionMessage = rejectionMessage;
    this.#sink?.end(reason);
  }
}
