/** All limits of the WebRTC process. Times in milliseconds. */
export interface RtcLimits {
  /** Connections in total, and of one client address (IPv6: of one /64). */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** From the answer to the first datagram. */
  readonly connectMs: number;
}

export const defaultRtcLimits: RtcLimits = {
  connections: 4_000,
  connectionsPerAddress: 1_000,
  // A live process gives a silent publisher up after 10 s.
  connectMs: 8_000,
};
