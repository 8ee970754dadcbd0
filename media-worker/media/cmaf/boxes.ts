/**
 * Functions that build boxes (ISO/IEC 14496-12). Init segments and headers of MP4 files are built rarely, so the code favours
 * clarity over speed.
 */

/** A box (ISO/IEC 14496-12 §4.2): size, four-character type, content. */
export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const size = content.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([u32(size), Buffer.from(type, 'latin1'), ...content], size);
}

/** A box with version and 24-bit flags. */
export function fullBox(type: string, version: number, flags: number, ...content: readonly Buffer[]): Buffer {
  return box(type, u32(version * 2 ** 24 + flags), ...content);
}

/** Big-endian unsigned numbers of 32 bits. */
export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}

/** Big-endian unsigned numbers of 16 bits. */
export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2));
  return bytes;
}

export function bytes(...values: readonly number[]): Buffer {
  return Buffer.from(values);
}

export function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
