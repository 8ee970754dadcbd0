/** Limits of a publisher server, for every protocol. Times in milliseconds. */
export interface PublisherLimits {
  /** Open connections: in total, and per client address (IPv6: per /64). */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /**
   * Timeout of the admission. A hundred encoders that start at the same time on a busy machine need several
   * seconds.
   */
  readonly admissionTimeoutMs: number;
  /** Minimum time from a request to its rejection, so that the response time does not reveal whether a key exists. */
  readonly minRejectionMs: number;
  /** Silence after which a peer is considered dead. */
  readonly silenceTimeoutMs: number;
  /** Maximum media that waits for the admission: packets, and their bytes. */
  readonly queuedPackets: number;
  readonly queuedBytes: number;
  /**
   * Limits for unknown keys of one address: how many are checked at the same time, and how many different wrong
   * ones within a minute are allowed before keys are checked one by one for `serialChecksMs`.
   */
  readonly maxWrongKeys: number;
  readonly serialChecksMs: number;
}

/**
 * Thrown when a client violates the protocol or a limit; its connection is then closed. The message contains no
 * text from the client.
 */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}

/** The text of an error for the log. Errors of the library can quote the client, so only their type is logged. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProtocolViolation) return error.message;
  return error instanceof Error ? error.name : 'unknown error';
}
