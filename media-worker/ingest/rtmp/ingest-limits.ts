import { ProtocolViolation, type PublisherLimits } from '@/media-worker/ingest/publisher/publisher-limits';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Limits of one RTMP server. Times in milliseconds. The socket is paused for up to `admissionTimeoutMs`, which must therefore
 * be less than `silenceTimeoutMs`.
 */
export interface IngestLimits extends PublisherLimits {
  /** Timeouts from accept to the end of the handshake, and from accept to the publish command. */
  readonly handshakeTimeoutMs: number;
  readonly publishTimeoutMs: number;
  /** Maximum time for flushing the last reply before the socket is destroyed. */
  readonly flushTimeoutMs: number;
  /** Bytes a client may send between the handshake and its publish command. */
  readonly bytesBeforePublish: number;
  /** Maximum length of a message with media or metadata. */
  readonly messageBytes: number;
  /**
   * Maximum length of a command or control message. Decoding costs CPU time, and messages of real encoders are far
   * shorter.
   */
  readonly commandBytes: number;
  /** Maximum size of all message buffers of one connection. */
  readonly connectionBytes: number;
  /** Maximum number of chunk streams of one connection. */
  readonly chunkStreams: number;
  /** Maximum size of replies that the client has not read. */
  readonly outputBytes: number;
}

export const defaultLimits: IngestLimits = {
  connections: 4000,
  connectionsPerAddress: 1000,
  handshakeTimeoutMs: 5_000,
  publishTimeoutMs: 10_000,
  admissionTimeoutMs: 14_000,
  minRejectionMs: 250,
  flushTimeoutMs: 500,
  silenceTimeoutMs: 15_000,
  bytesBeforePublish: 64 * KIB,
  messageBytes: 4 * MIB,
  commandBytes: 64 * KIB,
  connectionBytes: 8 * MIB,
  chunkStreams: 32,
  queuedPackets: 256,
  queuedBytes: MIB,
  outputBytes: 64 * KIB,
  maxWrongKeys: 10,
  serialChecksMs: 600_000,
};

/** RTMP message types of audio, video, AMF3 data, AMF0 data and aggregates. All others are command or control messages. */
const BULK_TYPES: ReadonlySet<number> = new Set([8, 9, 15, 18, 22]);

/** Rejects a message whose announced length is too large for its type, before memory is allocated for it. */
export function checkMessageLength(type: number, length: number, limits: IngestLimits): void {
  const limit = BULK_TYPES.has(type) ? limits.messageBytes : limits.commandBytes;
  if (length > limit) throw new ProtocolViolation('message too long');
}

/**
 * Rejects a large message before the publish command: no valid one is large, and its announcement would already
 * allocate memory.
 */
export function checkEarlyMessageLength(length: number, limits: IngestLimits): void {
  if (length > limits.bytesBeforePublish) throw new ProtocolViolation('message too long before publish');
}

/** Rejects message buffers above the limit of a connection. */
export function checkConnectionMemory(heldBytes: number, wantedBytes: number, limits: IngestLimits): void {
  if (heldBytes + wantedBytes > limits.connectionBytes)
    throw new ProtocolViolation('too much unfinished data');
}

export function checkChunkStreams(count: number, limits: IngestLimits): void {
  if (count > limits.chunkStreams) throw new ProtocolViolation('too many chunk streams');
}

/** Rejects three-byte chunk stream ids: no encoder needs more than 319 streams. */
export function checkBasicHeader(headerBytes: number): void {
  if (headerBytes > 2) throw new ProtocolViolation('chunk stream id too large');
}

/** Rejects a new header inside an unfinished message, which would change its length after the buffer was allocated. */
export function checkContinuation(bytesRead: number, format: number): void {
  if (bytesRead > 0 && format !== 3) throw new ProtocolViolation('message interrupted by another header');
}

/** Rejects chunk sizes other than 1 to 2^31-1 (RTMP 5.4.1). */
export function checkChunkSize(size: number): void {
  if (size < 1 || size > 0x7fffffff) throw new ProtocolViolation('chunk size out of range');
}

/** Rejects a long name before it is looked up. Keys have 19 characters; the rest is for a query string. */
export function checkPublishName(name: string): void {
  if (name.length > 512) throw new ProtocolViolation('publish name too long');
}

/** Rejects control messages without their fixed size, because their buffer holds bytes of an earlier message. */
export function checkControlLength(length: number): void {
  if (length < 4) throw new ProtocolViolation('control message too short');
}
