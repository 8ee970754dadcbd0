/** Bits of an empty channel: gain, no spectral data, no pulses, no noise shaping, no gain control. */
const CHANNEL = '10001100000';
/** Sine window, one long block, no scale factor bands, no prediction. */
const BLOCK = '00000000000';
/** Id of the element that ends an access unit. */
const END = '111';

const singleChannelElement = (tag: number): string => `000${bits(tag, 4)}10001100${BLOCK}000`;
const channelPairElement = (tag: number): string => `001${bits(tag, 4)}1${BLOCK}00${CHANNEL}${CHANNEL}`;
const lowFrequencyElement = (tag: number): string => `011${bits(tag, 4)}10001100${BLOCK}000`;

/** The elements of an access unit by channel configuration (ISO/IEC 14496-3 table 1.19). */
const LAYOUTS: Readonly<Record<number, readonly string[]>> = {
  1: [singleChannelElement(0)],
  2: [channelPairElement(0)],
  3: [singleChannelElement(0), channelPairElement(0)],
  4: [singleChannelElement(0), channelPairElement(0), singleChannelElement(1)],
  5: [singleChannelElement(0), channelPairElement(0), channelPairElement(1)],
  6: [singleChannelElement(0), channelPairElement(0), channelPairElement(1), lowFrequencyElement(0)],
  7: [
    singleChannelElement(0),
    channelPairElement(0),
    channelPairElement(1),
    channelPairElement(2),
    lowFrequencyElement(0),
  ],
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
