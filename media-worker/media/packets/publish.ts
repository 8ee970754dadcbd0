import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import type { PublishSource, Rejection } from '@/lib/core/streams/publish-admission';
import type { MediaPacket } from './media-packet';

/** What a client asked for when it sent `publish`. */
export interface PublishRequest {
  /** RTMP application, without slashes around it; only `live` is offered. */
  readonly app: string;
  /** The stream key, without what was around it. A secret: never log it. */
  readonly streamKey: string;
  /** Address of the client without the port. */
  readonly ip: string;
  /**
   * Compares the passphrase of the stream with the encryption of the publisher, before the admission; null: there is none.
   * Absent: its protocol has no passphrases.
   * @returns why it may not publish
   */
  checkPassphrase?(passphrase: string | null): Promise<Rejection | null>;
}

/** What the test pattern appends to the stream key. An encoder that does the same gives way to other encoders. */
export const testPatternQuery = '?source=test-pattern';

/** @param name the publish name as sent, with its query string */
export function sourceOf(name: string): PublishSource {
  return name.endsWith(testPatternQuery) ? 'test-pattern' : 'encoder';
}

/** The running connection of a publisher, as its consumer sees it. */
export interface PublisherConnection {
  readonly id: string;
  readonly ip: string;
  readonly source: PublishSource;
  /** Milliseconds on the server's monotonic clock since the last audio or video packet (or since the admission). */
  silentFor(): number;
  /**
   * Closes the connection; the sink's `end` follows with this reason. May be called twice.
   * @param refusal a sentence for the person at the encoder, if its media is refused
   */
  disconnect(reason: PublishEnd, refusal?: string): void;
}

/**
 * Why a publish ended. `finished`: the encoder ended it (FCUnpublish, deleteStream, closeStream);
 * `lost`: the connection broke or fell silent, and may come back; `cut`: we ended it (suspended, deleted, shut down);
 * `replaced`: a new connection of the same key took over.
 */
export type PublishEnd = 'finished' | 'lost' | 'cut' | 'replaced';

/** The stream and session of a publish. */
export interface PublishNames {
  readonly streamId: string;
  readonly sessionId: string;
}

/** Takes the packets of one admitted publish. `push` must not block and must not throw; `end` comes exactly once. */
export interface PublishSink {
  /** What it is called in the log. */
  readonly about?: PublishNames | undefined;
  /** What the publisher says it will send, before its packets. */
  announce?(tracks: AnnouncedTracks): void;
  push(packet: MediaPacket): void;
  end(reason: PublishEnd): void;
}

/**
 * `refused`: the key is right, but may not be used now. `draining`: this node takes no publishes, whatever the key. Null:
 * it opens nothing.
 */
export type Admission = PublishSink | 'refused' | 'draining' | null;

/** Decides whether a publish is accepted. The client only learns "not allowed" or "draining". */
export type AdmitPublish = (request: PublishRequest, connection: PublisherConnection) => Promise<Admission>;
