const PAT_TABLE_ID = 0x00;
const PMT_TABLE_ID = 0x02;
/** Maximum size of a section of the tables that are read here (ISO/IEC 13818-1 §2.4.4). */
const MAX_SECTION_BYTES = 1_024;
const SECTION_HEADER_BYTES = 8;
const CRC_BYTES = 4;
const REGISTRATION_DESCRIPTOR_TAG = 0x05;
const NO_BYTES = Buffer.alloc(0);

/** Elementary stream that a program map table (PMT) lists. */
export interface ElementaryStream {
  readonly pid: number;
  /** `stream_type`, the format of the stream (ISO/IEC 13818-1 table 2-34). */
  readonly streamType: number;
  /** `format_identifier` of the registration descriptor, such as `Opus`; empty without the descriptor. */
  readonly formatIdentifier: string;
  /** Tags of its descriptors. */
  readonly descriptorTags: readonly number[];
}

/**
 * Assembles the sections of one PID from the payloads of its packets (ISO/IEC 13818-1 §2.4.4). Sections with a wrong CRC are
 * dropped, because encoders repeat all tables.
 */
export class SectionReader {
  #bytes: Buffer = NO_BYTES;
  #isOpen = false;

  /**
   * Adds the payload of the next packet of the PID.
   * @param payloadUnitStart `payload_unit_start_indicator`: a section starts in this payload, after the bytes that
   * `pointer_field` counts
   * @returns the sections that this payload completes
   */
  push(payload: Buffer, payloadUnitStart: boolean): Buffer[] {
    if (!payloadUnitStart) return this.#isOpen ? this.#takeSections(payload) : [];
    const pointerField = payload[0] ?? 0;
    const sections = this.#isOpen ? this.#takeSections(payload.subarray(1, 1 + pointerField)) : [];
    this.#bytes = NO_BYTES;
    this.#isOpen = true;
    return [...sections, ...this.#takeSections(payload.subarray(1 + pointerField))];
  }

  /** Drops an incomplete section. To be called after packets of the PID were lost. */
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
      if (crc32Mpeg2(section) === 0) sections.push(section);
      this.#bytes = bytes.subarray(length);
    }
  }
}

/** Whether a section applies already; encoders may send the next one in advance. */
const isCurrent = (section: Buffer): boolean => (section.readUInt8(5) & 1) === 1;

/**
 * PID of the first program map table that a program association section (PAT) lists; null if there is none, or if the section
 * does not apply yet.
 */
export function readFirstPmtPid(section: Buffer): number | null {
  if (section[0] !== PAT_TABLE_ID || section.length < SECTION_HEADER_BYTES || !isCurrent(section))
    return null;
  for (let offset = SECTION_HEADER_BYTES; offset + 4 <= section.length - CRC_BYTES; offset += 4) {
    const isNetwork = section.readUInt16BE(offset) === 0;
    if (!isNetwork) return section.readUInt16BE(offset + 2) & 0x1fff;
  }
  return null;
}

/** Elementary streams that a program map section (PMT) lists; null for another section, or one that does not apply yet. */
export function readProgramMap(section: Buffer): ElementaryStream[] | null {
  const end = section.length - CRC_BYTES;
  if (section[0] !== PMT_TABLE_ID || end < SECTION_HEADER_BYTES + 4 || !isCurrent(section)) return null;
  const streams: ElementaryStream[] = [];
  let offset = SECTION_HEADER_BYTES + 4 + (section.readUInt16BE(SECTION_HEADER_BYTES + 2) & 0x0fff);
  while (offset + 5 <= end) {
    const streamType = section.readUInt8(offset);
    const pid = section.readUInt16BE(offset + 1) & 0x1fff;
    const descriptorsEnd = Math.min(offset + 5 + (section.readUInt16BE(offset + 3) & 0x0fff), end);
    const descriptors = [...readDescriptors(section.subarray(offset + 5, descriptorsEnd))];
    const registration = descriptors.find(({ tag }) => tag === REGISTRATION_DESCRIPTOR_TAG);
    streams.push({
      pid,
      streamType,
      formatIdentifier: registration?.content.toString('latin1', 0, 4) ?? '',
      descriptorTags: descriptors.map(({ tag }) => tag),
    });
    offset = descriptorsEnd;
  }
  return streams;
}

function* readDescriptors(bytes: Buffer): Generator<{ readonly tag: number; readonly content: Buffer }> {
  for (let offset = 0; offset + 2 <= bytes.length;) {
    const end = offset + 2 + bytes.readUInt8(offset + 1);
    yield { tag: bytes.readUInt8(offset), content: bytes.subarray(offset + 2, end) };
    offset = end;
  }
}

/** Generator polynomial of the CRC. */
const CRC_POLYNOMIAL = 0x04_c1_1d_b7;
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bitIndex = 0; bitIndex < 8; bitIndex++) crc = (crc << 1) ^ (crc < 0 ? CRC_POLYNOMIAL : 0);
  return crc >>> 0;
});

/** CRC-32/MPEG-2 (ISO/IEC 13818-1 annex A). The result is 0 for a section that ends with its correct CRC. */
export function crc32Mpeg2(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = ((crc << 8) ^ (crcTable[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return crc;
}
