import { ProtocolViolation, type PublisherLimits } from '@/media-worker/ingest/publisher/publisher-limits';

const KIB = 1024;
const MIB = 1024 * KIB;

/** All limits of one RTMP server. Times in milliseconds; the socket is paused for `admitMs`, so it is less than `deadPeerMs`. */
export interface IngestLimits extends PublisherLimits {
  /** From accept to the end of the handshake, and from accept to the publish command. */
  readonly handshakeMs: number;
  readonly publishMs: number;
  /** The last reply is flushed for this long at most, then the socket is destroyed. */
  readonly lingerMs: number;
  /** Bytes a client may send (after the handshake) before it asks to publish. */
  readonly bytesBeforePublish: number;
  readonly messageBytes: number;
  /** Commands and control messages; they cost CPU to decode, and no honest one comes near. */
  readonly commandBytes: number;
  /** Message buffers of one connection together. */
  readonly sessionBytes: number;
  readonly chunkStreams: number;
  /** Replies the client has not read. */
  readonly outputBytes: number;
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

/** RTMP message types that carry media or metadata; everything else is a command or control message. */
const BULK_TYPES: ReadonlySet<number> = new Set([8, 9, 15, 18]);

/** Refuses a message whose announced length is too much for its type, before any memory is taken for it. */
export function checkMessageLength(type: number, length: number, limits: IngestLimits): void {
  const limit = BULK_TYPES.has(type) ? limits.messageBytes : limits.commandBytes;
  if (length > limit) throw new ProtocolViolation('message too long');
}

/** Before the publish command nothing large is honest; announcing it would already reserve its memory. */
export function checkEarlyMessageLength(length: number, limits: IngestLimits): void {
  if (length > limits.bytesBeforePublish) throw new ProtocolViolation('message too long before publish');
}

/** Refuses to hold more bytes of message buffers than a connection may; `held` are already taken. */
export function checkSessionMemory(heldBytes: number, wantedBytes: number, limits: IngestLimits): void {
  if (heldBytes + wantedBytes > limits.sessionBytes) throw new ProtocolViolation('too much unfinished data');
}

export function checkChunkStreams(count: number, limits: IngestLimits): void {
  if (count > limits.chunkStreams) throw new ProtocolViolation('too many chunk streams');
}

/** The library computes three-byte chunk stream ids wrong, and no encoder needs more than 319 streams. */
export function checkBasicHeader(headerBytes: number): void {
  if (headerBytes > 2) throw new ProtocolViolation('chunk stream id too large');
}

/** A new message header inside an unfinished message would change its length after the buffer was taken. */
export function checkContinuation(bytesRead: number, format: number): void {
  if (bytesRead > 0 && format !== 3) throw new ProtocolViolation('message interrupted by another header');
}

/** RTMP 5.4.1: 1 to 2^31-1. The library would divide by 0. */
export function checkChunkSize(size: number): void {
  if (size < 1 || size > 0x7fffffff) throw new ProtocolViolation('chunk size out of range');
}

/** Keys have 19 characters; the rest is room for a query string. The name goes into a look-up. */
export function checkPublishName(name: string): void {
  if (name.length > 512) throw new ProtocolViolation('publish name too long');
}

/** Control messages have a fixed size; the library would read what an earlier message left in the buffer. */
export function checkControlLength(length: number): void {
  if (length < 4) throw new ProtocolViolation('control message too short');
}
