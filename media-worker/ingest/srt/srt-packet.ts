/** Header of every packet (draft-sharabayko-srt-01 §3). */
const HEADER_BYTES = 16;
const CONTROL_BIT = 0x8000_0000;

/** Types of control packets (draft-sharabayko-srt-01 §3.2). `acknowledged` confirms an acknowledgement (ACKACK). */
export const controlTypes = {
  handshake: 0x0000,
  keepAlive: 0x0001,
  acknowledgement: 0x0002,
  lossReport: 0x0003,
  shutdown: 0x0005,
  acknowledged: 0x0006,
  dropRequest: 0x0007,
  userDefined: 0x7fff,
} as const;

/** Subtypes of `userDefined`, and types of handshake extensions. */
export const keyMaterialTypes = { request: 3, response: 4 } as const;

/** Slot of the key that encrypts a packet. */
export type KeySlot = 'even' | 'odd';

export interface DataPacket {
  readonly kind: 'data';
  /** Sequence number, 31 bits. */
  readonly sequence: number;
  /** Slot of the key; null if the packet is not encrypted. `both` is not valid. */
  readonly keySlot: KeySlot | 'both' | null;
  readonly isRetransmitted: boolean;
  /** Microseconds since the start of the sender's connection, modulo 2^32. */
  readonly timestampUs: number;
  /** Socket id of the receiver. */
  readonly destination: number;
  /** A view of the datagram. */
  readonly payload: Buffer;
}

export interface ControlPacket {
  readonly kind: 'control';
  readonly type: number;
  readonly subtype: number;
  /** Type-specific information: the number of an acknowledgement, otherwise 0. */
  readonly info: number;
  /** Microseconds since the start of the sender's connection, modulo 2^32. */
  readonly timestampUs: number;
  /** Socket id of the receiver; 0 in a handshake. */
  readonly destination: number;
  /** A view of the datagram. */
  readonly body: Buffer;
}

const keySlots = [null, 'even', 'odd', 'both'] as const;

/** Parses a datagram; null if it is too short. */
export function parsePacket(bytes: Buffer): DataPacket | ControlPacket | null {
  if (bytes.length < HEADER_BYTES) return null;
  const firstWord = bytes.readUInt32BE(0);
  const secondWord = bytes.readUInt32BE(4);
  const timestampUs = bytes.readUInt32BE(8);
  const destination = bytes.readUInt32BE(12);
  const body = bytes.subarray(HEADER_BYTES);
  if (firstWord >= CONTROL_BIT) {
    const type = (firstWord >>> 16) & 0x7fff;
    return {
      kind: 'control',
      type,
      subtype: firstWord & 0xffff,
      info: secondWord,
      timestampUs,
      destination,
      body,
    };
  }
  const keySlot = keySlots[(secondWord >>> 27) & 3] ?? null;
  const isRetransmitted = (secondWord & 0x0400_0000) !== 0;
  return {
    kind: 'data',
    sequence: firstWord,
    keySlot,
    isRetransmitted,
    timestampUs,
    destination,
    payload: body,
  };
}

export function formatControlPacket(packet: Omit<ControlPacket, 'kind'>): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + packet.body.length);
  bytes.writeUInt32BE((CONTROL_BIT | (packet.type << 16) | packet.subtype) >>> 0, 0);
  bytes.writeUInt32BE(packet.info, 4);
  bytes.writeUInt32BE(packet.timestampUs, 8);
  bytes.writeUInt32BE(packet.destination, 12);
  packet.body.copy(bytes, HEADER_BYTES);
  return bytes;
}
