/** Prefix of API keys. It is followed by 32 random base-62 characters and a checksum of 6 base-62 characters. */
const keyPrefix = 'lsk_';
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const keyFormat = /^lsk_[0-9A-Za-z]{38}$/;
const CHECKSUM_LENGTH = 6;

/** CRC-32 of each byte, with the polynomial of IEEE 802.3 in reversed bit order (0xedb88320). */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bitIndex = 0; bitIndex < 8; bitIndex += 1)
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (IEEE 802.3) of ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** The CRC-32 of a text as six base-62 digits, the most significant digit first. */
function checksumOf(text: string): string {
  let remaining = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = alphabet.charAt(remaining % 62) + digits;
    remaining = Math.floor(remaining / 62);
  }
  return digits;
}

/**
 * Formats an API key with its prefix and its checksum.
 * @param randomPart 32 random base-62 characters
 */
export function formatApiKey(randomPart: string): string {
  const prefixedPart = `${keyPrefix}${randomPart}`;
  return `${prefixedPart}${checksumOf(prefixedPart)}`;
}

/** Whether a text has the format and the checksum of an API key. Other texts are rejected without a database query. */
export function isWellFormedApiKey(text: string): boolean {
  return keyFormat.test(text) && text.slice(-CHECKSUM_LENGTH) === checksumOf(text.slice(0, -CHECKSUM_LENGTH));
}
