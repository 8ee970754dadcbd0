const PAT_TABLE = 0x00;
const PMT_TABLE = 0x02;
const MAX_SECTION_BYTES = 1_024;
const HEADER_BYTES = 8;
const CRC_BYTES = 4;
const REGISTRATION_DESCRIPTOR = 0x05;
const NO_BYTES = Buffer.alloc(0);

/** An elementary stream announced by the program map. */
export interface ElementaryStream {
  readonly pid: number;
  /** Number of the format (ISO/IEC 13818-1 table 2-34). */
  readonly streamType: number;
  /** Four characters that name the format of a private stream; empty if absent. */
  readonly registration: string;
}

/**
 * Assembles the sections of one PID (ISO/IEC 13818-1 §2.4.4). Damaged sections are dropped, because tables are
 * repeated.
 */
export class SectionReader {
  #bytes: Buffer = NO_BYTES;
  #isOpen = false;

  /** @returns the completed sections */
  push(payload: Buffer, isStart: boolean): Buffer[] {
    if (!isStart) return this.#isOpen ? this.#takeSections(payload) : [];
    const pointer = payload[0] ?? 0;
    const sections = this.#isOpen ? this.#takeSections(payload.subarray(1, 1 + pointer)) : [];
    this.#bytes = NO_BYTES;
    this.#isOpen = true;
    return [...sections, ...this.#takeSections(payload.subarray(1 + pointer))];
  }

  /** Drops an incomplete section after lost packets. */
  reset(): void {
    this.#bytes = NO_BYTES;
    this.#isOpen = false;
  }

  #takeSections(payload: Buffer): Buffer[] {
    this.#bytes = Buffer.concat([this.#bytes, payload]);
    const sections: Buffer[] = [];
    for (;;) {
      const bytes = this.#bytes;
      const isStuffing = bytes[0] === 0xff;
      const length = bytes.length < 3 ? 0 : 3 + (bytes.readUInt16BE(1) & 0x0fff);
      if (isStuffing || length > MAX_SECTION_BYTES) this.reset();
      if (isStuffing || length === 0 || length > bytes.length || length > MAX_SECTION_BYTES) return sections;
      const section = bytes.subarray(0, length);
      if (crc32(section) === 0) sections.push(section);
      this.#bytes = bytes.subarray(length);
    }
  }
}

/** Whether a section applies already; encoders may send the next one in advance. */
const isCurrent = (section: Buffer): boolean => (section.readUInt8(5) & 1) === 1;

/** The PID of the program map of the first program; null if the section names none or does not apply yet. */
export function readProgramAssociation(section: Buffer): number | null {
  if (section[0] !== PAT_TABLE || section.length < HEADER_BYTES || !isCurrent(section)) return null;
  for (let offset = HEADER_BYTES; offset + 4 <= section.length - CRC_BYTES; offset += 4) {
    const isNetwork = section.readUInt16BE(offset) === 0;
    if (!isNetwork) return section.readUInt16BE(offset + 2) & 0x1fff;
  }
  return null;
}

/** The elementary streams of a program; null if the section is not a program map that applies already. */
export function readProgramMap(section: Buffer): ElementaryStream[] | null {
  const end = section.length - CRC_BYTES;
  if (section[0] !== PMT_TABLE || end < HEADER_BYTES + 4 || !isCurrent(section)) return null;
  const streams: ElementaryStream[] = [];
  let offset = HEADER_BYTES + 4 + (section.readUInt16BE(HEADER_BYTES + 2) & 0x0fff);
  while (offset + 5 <= end) {
    const streamType = section.readUInt8(offset);
    const pid = section.readUInt16BE(offset + 1) & 0x1fff;
    const infoEnd = Math.min(offset + 5 + (section.readUInt16BE(offset + 3) & 0x0fff), end);
    streams.push({ pid, streamType, registration: readRegistration(section.subarray(offset + 5, infoEnd)) });
    offset = infoEnd;
  }
  return streams;
}

function readRegistration(descriptors: Buffer): string {
  for (let offset = 0; offset + 2 <= descriptors.length; offset += 2 + descriptors.readUInt8(offset + 1)) {
    if (descriptors[offset] === REGISTRATION_DESCRIPTOR)
      return descriptors.toString('latin1', offset + 2, offset + 6);
  }
  return '';
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bitIndex = 0; bitIndex < 8; bitIndex++) crc = (crc << 1) ^ (crc < 0 ? 0x04_c1_1d_b7 : 0);
  return crc >>> 0;
});

/** The CRC of sections (ISO/IEC 13818-1 annex A); 0 for a section that includes its CRC. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = ((crc << 8) ^ (crcTable[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return crc;
}
