/** An empty channel: gain, no spectral data, no pulses, no noise shaping, no gain control. */
const CHANNEL = '10001100000';
/** Sine window, one long block, no scale factor bands, no prediction. */
const BLOCK = '00000000000';
const END = '111';

const single = (tag: number): string => `000${bits(tag, 4)}10001100${BLOCK}000`;
const pair = (tag: number): string => `001${bits(tag, 4)}1${BLOCK}00${CHANNEL}${CHANNEL}`;
const lowFrequency = (tag: number): string => `011${bits(tag, 4)}10001100${BLOCK}000`;

/** The elements of an access unit by channel configuration (ISO/IEC 14496-3 table 1.19). */
const LAYOUTS: Readonly<Record<number, readonly string[]>> = {
  1: [single(0)],
  2: [pair(0)],
  3: [single(0), pair(0)],
  4: [single(0), pair(0), single(1)],
  5: [single(0), pair(0), pair(1)],
  6: [single(0), pair(0), pair(1), lowFrequency(0)],
  7: [single(0), pair(0), pair(1), pair(2), lowFrequency(0)],
};

/**
 * Access units of AAC-LC that decode to zeros, by channel configuration. They also decode with an HE-AAC
 * configuration, whose core codec is AAC-LC.
 */
export const SILENT_UNITS: ReadonlyMap<number, Buffer> = new Map(
  Object.entries(LAYOUTS).map(([configuration, elements]) => [
    Number(configuration),
    bytesOf(elements.join('') + END),
  ]),
);

function bits(value: number, count: number): string {
  return value.toString(2).padStart(count, '0');
}

function bytesOf(text: string): Buffer {
  const octets = text.match(/.{1,8}/g) ?? [];
  return Buffer.from(octets.map((octet) => Number.parseInt(octet.padEnd(8, '0'), 2)));
}
