import type { PublishSource } from '@/lib/core/streams/publish-admission';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PublishEnd, PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';

/** A publisher's connection without a socket that behaves like the real one. */
export class FakeConnection implements PublisherConnection {
  readonly id = 'connection';
  readonly ip = '127.0.0.1';
  readonly source: PublishSource;
  readonly #now: () => number;
  #sink: PublishSink | null = null;
  #lastMediaAt: number;
  endReason: PublishEnd | null = null;
  /** The reason sent to the encoder. */
  refusal: string | undefined;

  /** @param now monotonic milliseconds */
  constructor(now: () => number, source: PublishSource = 'encoder') {
    this.source = source;
    this.#now = now;
    this.#lastMediaAt = now();
  }

  admitted(sink: PublishSink): void {
    this.#sink = sink;
  }

  send(packets: readonly MediaPacket[]): void {
    for (const packet of packets) {
      if (this.endReason) return;
      this.#lastMediaAt = this.#now();
      this.#sink?.push(packet);
    }
  }

  silentMs(): number {
    return this.#now() - this.#lastMediaAt;
  }

  disconnect(reason: PublishEnd, refusal?: string): void {
    if (this.endReason) return;
    this.endReason = reason;
    this.refusal = refusal;
    this.#sink?.end(reason);
  }
}
