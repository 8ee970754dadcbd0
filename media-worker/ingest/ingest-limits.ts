const KIB = 1024;
const MIB = 1024 * KIB;

/** All limits of one RTMP server. Times in milliseconds. */
export interface IngestLimits {
  /** Open connections in total, and of one client address (IPv6: of one /64). */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** From accept to the end of the handshake, and from accept to the publish command. */
  readonly handshakeMs: number;
  readonly publishMs: number;
  /**
   * How long the admission may take; the socket is paused meanwhile, so it is less than `deadPeerMs`. A hundred encoders
   * that start at once on a busy machine need several seconds.
   */
  readonly admitMs: number;
  /** A rejection is sent no earlier than this after the publish command, so that its timing reveals nothing. */
  readonly refusalMs: number;
  /** The last reply is flushed for this long at most, then the socket is destroyed. */
  readonly lingerMs: number;
  /** No bytes for this long: the peer is dead. */
  readonly deadPeerMs: number;
  /** Bytes a client may send (after the handshake) before it asks to publish. */
  readonly bytesBeforePublish: number;
  readonly messageBytes: number;
  /** Commands and control messages; they cost CPU to decode, and no honest one comes near. */
  readonly commandBytes: number;
  /** Message buffers of one connection together. */
  readonly sessionBytes: number;
  readonly chunkStreams: number;
  /** Media that arrived together with the publish command and waits for the admission. */
  readonly queuedPackets: number;
  readonly queuedBytes: number;
  /** Replies the client has not read. */
  readonly outputBytes: number;
  /**
   * Unknown keys of one address that are checked at the same time, and different wrong ones within a minute before they
   * are checked one by one for `blockMs`.
   */
  readonly refusedKeys: number;
  readonly blockMs: number;
}

export const defaultLimits: IngestLimits = {
  connections: 4000,
  connectionsPerAddress: 1000,
  handshakeMs: 5_000,
  publishMs: 10_000,
  admitMs: 14_000,
  refusalMs: 250,
  lingerMs: 500,
  deadPeerMs: 15_000,
  bytesBeforePublish: 64 * KIB,
  messageBytes: 4 * MIB,
  commandBytes: 64 * KIB,
  sessionBytes: 8 * MIB,
  chunkStreams: 32,
  queuedPackets: 256,
  queuedBytes: MIB,
  outputBytes: 64 * KIB,
  refusedKeys: 10,
  blockMs: 600_000,
};
