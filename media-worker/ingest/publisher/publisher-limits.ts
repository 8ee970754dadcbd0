/** Limits of a publisher server, for every protocol. Times in milliseconds. */
export interface PublisherLimits {
  /** Open connections: in total, and per client address (IPv6: per /64). */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Timeout of the admission. A hundred encoders that start at once on a busy machine need several seconds. */
  readonly admitMs: number;
  /** A rejection is sent no earlier than this after the request, so that its timing reveals nothing. */
  readonly refusalMs: number;
  /** A peer that sends nothing for this long is dead. */
  readonly deadPeerMs: number;
  /** Media that arrived with the publish command and waits for the admission. */
  readonly queuedPackets: number;
  readonly queuedBytes: number;
  /**
   * Unknown keys of one address: how many are checked at the same time, and how many different wrong ones within a minute
   * before keys are checked one by one for `blockMs`.
   */
  readonly refusedKeys: number;
  readonly blockMs: number;
}

/** The client violated the protocol or a limit: its connection is ended. The message never contains client text. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}

/** Text for the log: library errors can quote the client, so only their type is logged. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProtocolViolation) return error.message;
  return error instanceof Error ? error.name : 'unknown error';
}
