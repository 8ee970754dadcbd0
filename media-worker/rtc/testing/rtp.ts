/** Fields of an RTP packet for a test. */
export interface SentPacket {
  readonly sequence: number;
  readonly timestamp?: number;
  readonly payload?: Buffer;
  readonly marker?: boolean;
  readonly payloadType?: number;
  readonly ssrc?: number;
}

export function createRtpPacket({
  sequence,
  timestamp = 0,
  payload = Buffer.from([1]),
  marker = false,
  payloadType = 96,
  ssrc = 1111,
}: SentPacket): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt8(0x80, 0);
  header.writeUInt8((marker ? 0x80 : 0) | payloadType, 1);
  header.writeUInt16BE(sequence & 0xffff, 2);
  header.writeUInt32BE(timestamp >>> 0, 4);
  header.writeUInt32BE(ssrc, 8);
  return Buffer.concat([header, payload]);
}

/** Adds header extensions by number to a packet without any (RFC 8285). Two-byte headers allow longer values. */
export function withHeaderExtension(
  packet: Buffer,
  extensions: Readonly<Record<string, Buffer>>,
  isTwoByte = false,
): Buffer {
  const elements = Object.entries(extensions).flatMap(([id, value]) => {
    const header = isTwoByte ? [Number(id), value.length] : [(Number(id) << 4) | (value.length - 1)];
    return [Buffer.from(header), value];
  });
  const bytes = Buffer.concat(elements);
  const words = Math.ceil(bytes.length / 4);
  const extensionBlock = Buffer.alloc(4 + words * 4);
  extensionBlock.writeUInt16BE(isTwoByte ? 0x1000 : 0xbede, 0);
  extensionBlock.writeUInt16BE(words, 2);
  bytes.copy(extensionBlock, 4);
  const extended = Buffer.concat([packet.subarray(0, 12), extensionBlock, packet.subarray(12)]);
  extended.writeUInt8(extended.readUInt8(0) | 0x10, 0);
  return extended;
}

/**
 * Builds a sender report (RFC 3550 §6.4.1).
 * @param ntpMs wall clock of the sender in milliseconds since 1900
 */
export function createTestReport({
  ssrc,
  ntpMs,
  rtpTime,
}: {
  ssrc: number;
  ntpMs: number;
  rtpTime: number;
}): Buffer {
  const packet = Buffer.alloc(28);
  packet.writeUInt16BE(0x80c8, 0);
  packet.writeUInt16BE(6, 2);
  packet.writeUInt32BE(ssrc, 4);
  packet.writeUInt32BE(Math.floor(ntpMs / 1_000), 8);
  packet.writeUInt32BE(Math.floor(((ntpMs % 1_000) / 1_000) * 2 ** 32), 12);
  packet.writeUInt32BE(rtpTime >>> 0, 16);
  return packet;
}

/** Payloads of one H.264 NAL unit: a single packet, or fragments (FU-A). */
export function packetizeH264(unit: Buffer, size: number): Buffer[] {
  if (unit.length <= size) return [unit];
  const nalHeader = unit.readUInt8(0);
  const unitPayload = unit.subarray(1);
  const count = Math.ceil(unitPayload.length / size);
  return Array.from({ length: count }, (_, index) => {
    const flags = (index === 0 ? 0x80 : 0) | (index === count - 1 ? 0x40 : 0);
    const fuHeaders = Buffer.from([(nalHeader & 0xe0) | 28, flags | (nalHeader & 0x1f)]);
    return Buffer.concat([fuHeaders, unitPayload.subarray(index * size, (index + 1) * size)]);
  });
}

/** One payload with several NAL units (STAP-A). */
export function createStapA(units: readonly Buffer[]): Buffer {
  const parts = units.flatMap((unit) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(unit.length);
    return [length, unit];
  });
  return Buffer.concat([Buffer.from([0x78]), ...parts]);
}
