import type { PublisherLimits } from '@/media-worker/ingest/publisher/publisher-limits';

/** Limits of one SRT server. Times in milliseconds. */
export interface SrtLimits extends PublisherLimits {
  /** How long to wait for a missing packet: the default, and the most that an encoder may request. */
  readonly latencyMs: number;
  readonly maxLatencyMs: number;
  /** Maximum number of packets of one connection that wait for missing ones; a power of two. */
  readonly bufferPackets: number;
  /** Maximum time between two packets to the peer. */
  readonly keepAliveMs: number;
}

export const defaultSrtLimits: SrtLimits = {
  connections: 4_000,
  connectionsPerAddress: 1_000,
  admissionTimeoutMs: 14_000,
  minRejectionMs: 250,
  // Encoders send keep-alives every second, and give up after five seconds as well.
  silenceTimeoutMs: 5_000,
  queuedPackets: 256,
  queuedBytes: 1024 * 1024,
  maxWrongKeys: 10,
  serialChecksMs: 600_000,
  latencyMs: 120,
  maxLatencyMs: 8_000,
  bufferPackets: 8_192,
  keepAliveMs: 1_000,
};
