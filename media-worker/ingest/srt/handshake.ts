/** Handshake bodies (draft-sharabayko-srt-01 §3.2.1), as sent by both sides. */

/** Bytes of a handshake before its extensions. */
const FIXED_BYTES = 48;
const ADDRESS_BYTES = 16;
const MAX_EXTENSIONS = 16;

export const handshakeTypes = { induction: 1, conclusion: 0xffff_ffff } as const;
export const extensionTypes = {
  request: 1,
  response: 2,
  keyMaterialRequest: 3,
  keyMaterialResponse: 4,
  streamId: 5,
  congestion: 6,
  filter: 7,
  group: 8,
} as const;
/** Flags in the extension field of a conclusion. */
export const extensionFlags = { request: 1, keyMaterial: 2, config: 4 } as const;
/** Value of the extension field in the answer to an induction, which means that the server speaks SRT. */
export const SRT_MAGIC = 0x4a17;

/** Flags in the second word of `request` and `response`. */
export const capabilityFlags = {
  timedSending: 0x01,
  timedReceiving: 0x02,
  encryption: 0x04,
  tooLateDrop: 0x08,
  periodicLossReports: 0x10,
  retransmissionFlag: 0x20,
  stream: 0x40,
} as const;

/** Rejection codes: 1000 plus a code of libsrt (`SRT_REJ_*`, and `SRT_REJX_*` from 1000 on). */
export const rejections = {
  resource: 1_003,
  rogue: 1_004,
  version: 1_008,
  badPassphrase: 1_010,
  passphraseRequired: 1_011,
  messageApi: 1_012,
  congestion: 1_013,
  filter: 1_014,
  group: 1_015,
  cipher: 1_017,
  badRequest: 2_400,
  forbidden: 2_403,
  badMode: 2_405,
  unavailable: 2_503,
} as const;
export type RejectionCode = (typeof rejections)[keyof typeof rejections];

export interface Handshake {
  readonly version: number;
  /** Key length in units of eight bytes; 0 if it is not announced. */
  readonly encryption: number;
  /** `extensionFlags` in a conclusion, `SRT_MAGIC` in the answer to an induction. */
  readonly extensionField: number;
  readonly initialSequence: number;
  /** Maximum size of a packet with its IP and UDP headers, bytes. */
  readonly mtu: number;
  /** Maximum number of unacknowledged packets. */
  readonly flowWindow: number;
  /** A handshake type, or the code of a rejection. */
  readonly type: number;
  readonly socketId: number;
  readonly cookie: number;
  /** The peer address as raw bytes. */
  readonly peerAddress: Buffer;
  /** The first extension of each type, by type. */
  readonly extensions: ReadonlyMap<number, Buffer>;
}

/** Parses a handshake; null if it is truncated. */
export function parseHandshake(body: Buffer): Handshake | null {
  if (body.length < FIXED_BYTES) return null;
  const extensions = parseExtensions(body.subarray(FIXED_BYTES));
  if (!extensions) return null;
  return {
    version: body.readUInt32BE(0),
    encryption: body.readUInt16BE(4),
    extensionField: body.readUInt16BE(6),
    initialSequence: body.readUInt32BE(8) & 0x7fff_ffff,
    mtu: body.readUInt32BE(12),
    flowWindow: body.readUInt32BE(16),
    type: body.readUInt32BE(20),
    socketId: body.readUInt32BE(24),
    cookie: body.readUInt32BE(28),
    peerAddress: body.subarray(32, FIXED_BYTES),
    extensions,
  };
}

function parseExtensions(bytes: Buffer): Map<number, Buffer> | null {
  const extensions = new Map<number, Buffer>();
  let offset = 0;
  while (offset + 4 <= bytes.length) {
    const type = bytes.readUInt16BE(offset);
    const end = offset + 4 + 4 * bytes.readUInt16BE(offset + 2);
    if (end > bytes.length || extensions.size >= MAX_EXTENSIONS) return null;
    if (!extensions.has(type)) extensions.set(type, bytes.subarray(offset + 4, end));
    offset = end;
  }
  return extensions;
}

/** Formats a handshake body. The contents of extensions must be padded to whole words. */
export function formatHandshake(handshake: Handshake): Buffer {
  const fixedPart = Buffer.alloc(FIXED_BYTES);
  fixedPart.writeUInt32BE(handshake.version, 0);
  fixedPart.writeUInt16BE(handshake.encryption, 4);
  fixedPart.writeUInt16BE(handshake.extensionField, 6);
  fixedPart.writeUInt32BE(handshake.initialSequence, 8);
  fixedPart.writeUInt32BE(handshake.mtu, 12);
  fixedPart.writeUInt32BE(handshake.flowWindow, 16);
  fixedPart.writeUInt32BE(handshake.type, 20);
  fixedPart.writeUInt32BE(handshake.socketId, 24);
  fixedPart.writeUInt32BE(handshake.cookie, 28);
  handshake.peerAddress.copy(fixedPart, 32, 0, ADDRESS_BYTES);
  const extensions = [...handshake.extensions].flatMap(([type, content]) => {
    const header = Buffer.alloc(4);
    header.writeUInt16BE(type, 0);
    header.writeUInt16BE(content.length / 4, 2);
    return [header, content];
  });
  return Buffer.concat([fixedPart, ...extensions]);
}

/** Contents of `request` and `response`. */
export interface Capabilities {
  readonly version: number;
  readonly flags: number;
  /** Time for which the sender of this message buffers received packets, ms. */
  readonly receiveLatencyMs: number;
  /** Time for which the sender of this message wants the peer to buffer packets, ms. */
  readonly sendLatencyMs: number;
}

export function parseCapabilities(content: Buffer): Capabilities | null {
  if (content.length < 12) return null;
  return {
    version: content.readUInt32BE(0),
    flags: content.readUInt32BE(4),
    receiveLatencyMs: content.readUInt16BE(8),
    sendLatencyMs: content.readUInt16BE(10),
  };
}

export function formatCapabilities(capabilities: Capabilities): Buffer {
  const content = Buffer.alloc(12);
  content.writeUInt32BE(capabilities.version, 0);
  content.writeUInt32BE(capabilities.flags, 4);
  content.writeUInt16BE(capabilities.receiveLatencyMs, 8);
  content.writeUInt16BE(capabilities.sendLatencyMs, 10);
  return content;
}

/** Parses a text of an extension. The bytes of each word are in reverse order, and the text is padded with zeros. */
export function parseText(content: Buffer): string {
  const bytes = reverseWords(content);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}

export function formatText(text: string): Buffer {
  const bytes = Buffer.from(text);
  const content = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
  bytes.copy(content);
  return reverseWords(content);
}

/**
 * Reverses the bytes of each word.
 * @param bytes whole words
 */
export function reverseWords(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap32();
}
