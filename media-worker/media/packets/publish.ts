import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { PublishSource, PublishRejection } from '@/lib/core/streams/publish-admission';
import type { MediaPacket, VideoPacket } from './media-packet';

/** Parameters of a client's `publish` command. */
export interface PublishRequest {
  /** RTMP application, without slashes around it; only `live` is supported. */
  readonly app: string;
  /** The stream key without prefix and query string. A secret: never log it. */
  readonly streamKey: string;
  /** IP address of the client. */
  readonly ip: string;
  /**
   * Compares the stream's passphrase with the encryption of the publisher, before the admission; null if the stream
   * has no passphrase. Absent if the protocol has no passphrases.
   * @returns the reason to reject the publisher, or null
   */
  checkPassphrase?(passphrase: string | null): Promise<PublishRejection | null>;
}

/** Query string that the test pattern appends to the stream key. An encoder that sends it yields to other encoders. */
export const testPatternQuery = '?source=test-pattern';

/**
 * Who publishes: the test pattern of this service, or an encoder.
 * @param name the publish name as sent, with its query string
 */
export function publishSourceOf(name: string): PublishSource {
  return name.endsWith(testPatternQuery) ? 'test-pattern' : 'encoder';
}

/** The connection of an active publisher. */
export interface PublisherConnection {
  readonly id: string;
  readonly ip: string;
  readonly source: PublishSource;
  /** Milliseconds since the last audio or video packet, or since the connection was created if there was none. */
  silentMs(): number;
  /**
   * Closes the connection; the sink's `end` follows with this reason. Idempotent.
   * @param rejectionMessage a message for the person at the encoder if its media is rejected
   */
  disconnect(reason: PublishEnd, rejectionMessage?: string): void;
  /** Reports why the admission was rejected. Only for internal connections: an encoder must not learn the reason. */
  reportRejection?(rejection: PublishRejection): void;
}

/**
 * Why a publish ended. `finished`: the encoder ended it (FCUnpublish, deleteStream, closeStream); `lost`: the
 * connection broke or went silent, and may return; `cut`: the service ended it (suspended, deleted, shut down);
 * `replaced`: a new connection with the same key took over.
 */
export type PublishEnd = 'finished' | 'lost' | 'cut' | 'replaced';

/** Ids of the stream and session of a publish. */
export interface PublishIds {
  readonly streamId: string;
  readonly sessionId: string;
}

/**
 * Receives the packets of one admitted publish. `push` must not block and must not throw; `end` is called exactly
 * once.
 */
export interface PublishSink {
  /** Ids of the publish, for log lines. */
  readonly ids?: PublishIds | undefined;
  /** Receives the tracks that the publisher announces, before its packets. */
  announce?(tracks: AnnouncedTracks): void;
  push(packet: MediaPacket): void;
  /**
   * Receives the packets of a smaller layer: the same video in another size, with times on the clock of `push`.
   * @param layer number of the layer, from 1
   */
  pushLayer?(layer: number, packet: VideoPacket): void;
  end(reason: PublishEnd): void;
}

/**
 * Result of an admission. A sink: the publish is accepted. `rejected`: the key is valid, but may not be used now.
 * `draining`: this node accepts no publishes, whatever the key. Null: the key is invalid.
 */
export type Admission = PublishSink | 'rejected' | 'draining' | null;

/** Decides whether a publish is accepted. The client only learns "not allowed" or "draining". */
export type AdmitPublish = (request: PublishRequest, connection: PublisherConnection) => Promise<Admission>;
