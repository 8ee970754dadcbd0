/** All limits of the WebRTC process. Times in milliseconds. */
export interface RtcLimits {
  /** Maximum number of connections in total, and per client address (IPv6: per /64). */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Timeout from the start of a connection until ICE and DTLS are complete. */
  readonly connectTimeoutMs: number;
}

export const defaultRtcLimits: RtcLimits = {
  connections: 4_000,
  connectionsPerAddress: 1_000,
  // Less than the 10 s after which a live process drops a silent publisher.
  connectTimeoutMs: 8_000,
};
