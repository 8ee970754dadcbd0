import { AdmissionQueue } from './admission-queue';
import type { IngestLimits } from './ingest-limits';
import type { MediaPacket } from './media-packet';
import type { PublishEnd, PublisherConnection, PublishSink } from './publish';

interface PublishLifecycleOptions {
  readonly id: string;
  readonly ip: string;
  readonly limits: Pick<IngestLimits, 'queuedPackets' | 'queuedBytes'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Destroys the socket. */
  readonly destroy: () => void;
  /** Called once, when the publish is over. */
  readonly onEnd: (reason: PublishEnd, admitted: boolean) => void;
}

/**
 * One publish from its command to its end, whatever comes first: admission, a clean end, or a broken socket.
 * Keeps the promises of PublishSink: packets in order, nothing after `end`, `end` exactly once.
 */
export class PublishLifecycle implements PublisherConnection {
  readonly id: string;
  readonly ip: string;
  readonly #options: PublishLifecycleOptions;
  readonly #queue: AdmissionQueue;
  #sink: PublishSink | null = null;
  #ended: PublishEnd | null = null;
  #lastMediaAt: number;

  constructor(options: PublishLifecycleOptions) {
    this.id = options.id;
    this.ip = options.ip;
    this.#options = options;
    this.#queue = new AdmissionQueue(options.limits);
    this.#lastMediaAt = options.now();
  }

  get ended(): boolean {
    return this.#ended !== null;
  }

  silentFor(): number {
    return this.#options.now() - this.#lastMediaAt;
  }

  cut(reason: PublishEnd): void {
    this.end(reason);
    this.#options.destroy();
  }

  /** Takes a packet from the connection. @throws ProtocolViolation when too many wait for the admission */
  media(packet: MediaPacket): void {
    if (this.#ended !== null) return;
    this.#lastMediaAt = this.#options.now();
    if (this.#sink) this.#sink.push(packet);
    else this.#queue.add(packet);
  }

  /** The publish continues into `sink`. If it had ended before the decision, `sink` ends at once. */
  admitted(sink: PublishSink): void {
    const before = this.#ended;
    if (before === null) {
      this.#sink = sink;
      this.#lastMediaAt = this.#options.now();
    }
    // A client may send its whole stream and end it at once; after a broken connection nothing is kept.
    if (before === null || before === 'finished') this.#flush(sink);
    if (before !== null) sink.end(before);
  }

  /** The publish is over. Only the first reason counts. */
  end(reason: PublishEnd): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    const sink = this.#sink;
    this.#sink = null;
    sink?.end(reason);
    this.#options.onEnd(reason, sink !== null);
  }

  #flush(sink: PublishSink): void {
    const before = this.#ended;
    for (const packet of this.#queue.take()) {
      sink.push(packet);
      if (this.#ended !== before) return; // the sink cut its own publisher
    }
  }
}
