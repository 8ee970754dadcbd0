/** Limits of a server for publishers, whatever their protocol. Times in milliseconds. */
export interface PublisherLimits {
  /** Open connections in total, and of one client address (IPv6: of one /64). */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** How long the admission may take. A hundred encoders that start at once on a busy machine need several seconds. */
  readonly admitMs: number;
  /** A rejection is sent no earlier than this after the publish was asked for, so that its timing reveals nothing. */
  readonly refusalMs: number;
  /** Nothing received for this long: the peer is dead. */
  readonly deadPeerMs: number;
  /** Media that arrived together with the publish command and waits for the admission. */
  readonly queuedPackets: number;
  readonly queuedBytes: number;
  /**
   * Unknown keys of one address that are checked at the same time, and different wrong ones within a minute before they
   * are checked one by one for `blockMs`.
   */
  readonly refusedKeys: number;
  readonly blockMs: number;
}

/** The client broke the protocol or a limit: its connection is ended. The message never carries client text. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}

/** Text for the log: errors of libraries can quote the client, so only their type is logged. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProtocolViolation) return error.message;
  return error instanceof Error ? error.name : 'unknown error';
}
