import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { PublishSource, PublishRejection } from '@/lib/core/streams/publish-admission';
import type {
  PublishEnd,
  PublishIds,
  PublishSink,
  PublisherConnection,
} from '@/media-worker/media/packets/publish';
import { ProtocolViolation, type PublisherLimits } from './publisher-limits';

/**
 * Media that arrives before the admission. An RTMP socket is paused after the publish command, so more media than the
 * limits allow is an attack.
 */
class AdmissionQueue {
  readonly #limits: Pick<PublisherLimits, 'queuedPackets' | 'queuedBytes'>;
  #packets: MediaPacket[] = [];
  #bytes = 0;

  constructor(limits: Pick<PublisherLimits, 'queuedPackets' | 'queuedBytes'>) {
    this.#limits = limits;
  }

  /** @throws ProtocolViolation if the queue is full */
  add(packet: MediaPacket): void {
    this.#bytes += packet.payload.length;
    if (this.#packets.length >= this.#limits.queuedPackets || this.#bytes > this.#limits.queuedBytes) {
      throw new ProtocolViolation('too much media before the admission');
    }
    this.#packets.push(packet);
  }

  /** Removes and returns all packets. */
  takePackets(): MediaPacket[] {
    const packets = this.#packets;
    this.#packets = [];
    this.#bytes = 0;
    return packets;
  }
}

interface PublishLifecycleOptions {
  readonly id: string;
  readonly ip: string;
  readonly source: PublishSource;
  readonly limits: Pick<PublisherLimits, 'queuedPackets' | 'queuedBytes'>;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Closes the connection, after sending the reason if there is one. */
  readonly close: (rejection?: string) => void;
  /** Called when the admission was rejected for a reason that the stream's owner may know. */
  readonly onRejected?: (rejection: PublishRejection) => void;
  /** Called once, when the publish ends. */
  readonly onEnd: (reason: PublishEnd, wasAdmitted: boolean) => void;
}

/**
 * One publish from its command to its end. Admission, a clean end and a broken socket may happen in any order. The
 * sink gets packets in order, none after `end`, and `end` exactly once.
 */
export class PublishLifecycle implements PublisherConnection {
  readonly id: string;
  readonly ip: string;
  readonly source: PublishSource;
  readonly #options: PublishLifecycleOptions;
  readonly #queue: AdmissionQueue;
  #sink: PublishSink | null = null;
  #ids: PublishIds | undefined;
  #announcedTracks: AnnouncedTracks | null = null;
  #endReason: PublishEnd | null = null;
  #lastMediaMs: number;

  constructor(options: PublishLifecycleOptions) {
    this.id = options.id;
    this.ip = options.ip;
    this.source = options.source;
    this.#options = options;
    this.#queue = new AdmissionQueue(options.limits);
    this.#lastMediaMs = options.now();
  }

  get hasEnded(): boolean {
    return this.#endReason !== null;
  }

  /** Ids of the stream and session, set by the admission. */
  get ids(): PublishIds | undefined {
    return this.#ids;
  }

  /** Time since the last packet, or since the admission if none arrived after it, ms. */
  silentMs(): number {
    return this.#options.now() - this.#lastMediaMs;
  }

  /** Reports a rejection whose reason the owner of the stream may know. */
  reportRejection(rejection: PublishRejection): void {
    this.#options.onRejected?.(rejection);
  }

  /**
   * Ends the publish and its connection from this side.
   * @param rejection reason for the encoder, if its media was rejected
   */
  disconnect(reason: PublishEnd, rejection?: string): void {
    this.end(reason);
    this.#options.close(rejection);
  }

  /**
   * Takes a packet from the connection.
   * @throws ProtocolViolation if too many wait for the admission
   */
  pushMedia(packet: MediaPacket): void {
    if (this.#endReason !== null) return;
    this.#lastMediaMs = this.#options.now();
    if (this.#sink) this.#sink.push(packet);
    else this.#queue.add(packet);
  }

  /**
   * Takes a packet of a smaller layer. Layers are dropped before the admission.
   * @param layer number of the layer, from 1
   */
  pushLayerMedia(layer: number, packet: VideoPacket): void {
    this.#sink?.pushLayer?.(layer, packet);
  }

  /** Passes on the tracks that the encoder announces. Null, an unreadable announcement, is ignored. */
  announce(tracks: AnnouncedTracks | null): void {
    if (!tracks || this.#endReason !== null) return;
    this.#announcedTracks = tracks;
    this.#sink?.announce?.(tracks);
  }

  /** Continues the publish into `sink`. If the publish had ended before the decision, `sink` ends immediately. */
  attachSink(sink: PublishSink): void {
    const endReason = this.#endReason;
    this.#ids = sink.ids;
    if (endReason === null) {
      this.#sink = sink;
      this.#lastMediaMs = this.#options.now();
    }
    // A client may send its whole stream and end it immediately. After a broken connection, the queue is dropped.
    if (endReason === null || endReason === 'finished') this.#flush(sink);
    if (endReason !== null) sink.end(endReason);
  }

  /** Ends the publish. Only the first reason counts. */
  end(reason: PublishEnd): void {
    if (this.#endReason !== null) return;
    this.#endReason = reason;
    const sink = this.#sink;
    this.#sink = null;
    sink?.end(reason);
    this.#options.onEnd(reason, sink !== null);
  }

  #flush(sink: PublishSink): void {
    const endReason = this.#endReason;
    if (this.#announcedTracks) sink.announce?.(this.#announcedTracks);
    for (const packet of this.#queue.takePackets()) {
      sink.push(packet);
      if (this.#endReason !== endReason) return; // the sink disconnected its own publisher
    }
  }
}
