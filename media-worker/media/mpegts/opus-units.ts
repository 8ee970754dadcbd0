/** One Opus packet. */
interface OpusUnit {
  /** Milliseconds after the first packet. */
  readonly atMs: number;
  readonly data: Buffer;
}

/** Frame duration by configuration number: SILK, hybrid and CELT (RFC 6716 §3.1), in milliseconds. */
const silkMs = [10, 20, 40, 60];
const hybridMs = [10, 20];
const celtMs = [2.5, 5, 10, 20];

/** Duration of an Opus packet in milliseconds (RFC 6716 §3.1); 0 if it is damaged. */
function readOpusDuration(packet: Buffer): number {
  const [tocByte = 0, count = 0] = packet;
  const config = tocByte >> 3;
  const frames = [1, 2, 2, count & 0x3f][tocByte & 3] ?? 0;
  const table = config < 12 ? silkMs : config < 16 ? hybridMs : celtMs;
  return frames * (table[config % table.length] ?? 0);
}

/**
 * The packets of one PES packet of Opus, each behind a control header
 * (https://opus-codec.org/docs/ETSI_TS_opus-v0.1.3-draft.pdf). Bytes after a damaged header are dropped.
 */
export function parseOpusUnits(pes: Buffer): OpusUnit[] {
  const units: OpusUnit[] = [];
  let atMs = 0;
  let offset = 0;
  while (offset + 2 <= pes.length && (pes.readUInt16BE(offset) & 0xff_e0) === 0x7f_e0) {
    const flags = pes.readUInt8(offset + 1);
    offset += 2;
    let size = 0;
    let part = 0xff;
    while (part === 0xff) {
      part = pes[offset++] ?? 0;
      size += part;
    }
    // Optional fields: samples to trim at the start and the end, and an extension with its own length.
    offset += (flags & 0x10 ? 2 : 0) + (flags & 0x08 ? 2 : 0);
    if (flags & 0x04) offset += 1 + (pes[offset] ?? 0);
    if (size === 0 || offset + size > pes.length) return units;
    const data = pes.subarray(offset, offset + size);
    units.push({ atMs, data });
    atMs += readOpusDuration(data);
    offset += size;
  }
  return units;
}
