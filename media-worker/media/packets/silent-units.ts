/** Bits of the elements of a silent access unit, in the order of ISO/IEC 14496-3 section 4.4.2. */

/** The global gain of a channel; without spectral data, its value has no effect. */
const GAIN = '10001100';
/** `ics_info`: one long block with a sine window, no scale factor bands (so no spectral data), no prediction. */
const ICS_INFO = '00000000000';
/** No pulses, no noise shaping, no gain control. */
const NO_TOOLS = '000';
/** One `ics_info` for both channels of a pair. */
const COMMON_WINDOW = '1';
const NO_MID_SIDE_STEREO = '00';
/** Ids of the elements. */
const SINGLE_CHANNEL = '000';
const CHANNEL_PAIR = '001';
const LOW_FREQUENCY = '011';
const END = '111';

const CHANNEL_OF_PAIR = `${GAIN}${NO_TOOLS}`;
const oneChannel = (id: string, tag: number): string => `${id}${bits(tag, 4)}${GAIN}${ICS_INFO}${NO_TOOLS}`;
/** @param tag number of the element among those of its kind */
const singleChannelElement = (tag: number): string => oneChannel(SINGLE_CHANNEL, tag);
const channelPairElement = (tag: number): string =>
  `${CHANNEL_PAIR}${bits(tag, 4)}${COMMON_WINDOW}${ICS_INFO}${NO_MID_SIDE_STEREO}${CHANNEL_OF_PAIR}${CHANNEL_OF_PAIR}`;
const lowFrequencyElement = (tag: number): string => oneChannel(LOW_FREQUENCY, tag);

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
