import { MAX_CUT_SECONDS } from '@/lib/core/media/segment-cuts';
import type { VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import { parseHevcSps } from '@/media-worker/media/cmaf/hevc-sps';
import { parseOrNull } from '@/media-worker/media/cmaf/parse-or-null';
import type { SequenceFacts } from '@/media-worker/media/cmaf/sequence-facts';
import { parseSps } from '@/media-worker/media/cmaf/sps';
import type { ByteSource } from './byte-source';
import type { SampleList } from './sample-list';

/** Bytes of a frame that are read at once. */
const HEAD_BYTES = 1_024;
/** Maximum number of parameter sets, SEI units and delimiters before the first slice. */
const MAX_UNITS = 64;
/** Entry points closer together than this are rarely useful, and finding each costs a read. */
const MIN_IDR_DISTANCE_SECONDS = 0.5;

/** How the kind of a NAL unit is found from its first byte. */
interface UnitKinds {
  readonly typeOf: (firstByte: number) => number;
  readonly isIdr: (type: number) => boolean;
  /** Whether a unit is a slice of a picture that is no IDR picture. */
  readonly isPicture: (type: number) => boolean;
  /** Type of a sequence parameter set, which contains the picture size. */
  readonly parameterSet: number;
  readonly parse: (sps: Buffer) => SequenceFacts;
}

const unitKinds: Readonly<Record<'avc' | 'hevc', UnitKinds>> = {
  // NAL unit types of ITU-T H.264 table 7-1.
  avc: {
    typeOf: (firstByte) => firstByte & 0x1f,
    isIdr: (type) => type === 5,
    isPicture: (type) => type >= 1 && type < 5,
    parameterSet: 7,
    parse: parseSps,
  },
  // NAL unit types of ITU-T H.265 table 7-1.
  hevc: {
    typeOf: (firstByte) => (firstByte >> 1) & 0x3f,
    isIdr: (type) => type === 19 || type === 20,
    isPicture: (type) => type < 32,
    parameterSet: 33,
    parse: parseHevcSps,
  },
};

export interface FoundKeys {
  /** 1 for each frame at which decoding can begin. */
  readonly idr: Uint8Array;
  /** Like `idr`, plus entries of the keyframe table where there is no IDR for long: some players begin there. */
  readonly keys: Uint8Array;
  /** Picture sizes announced in frames, before cropping. */
  readonly sizes: ReadonlySet<string>;
}

/**
 * Finds IDR pictures. The keyframe table also lists frames after which others refer to earlier ones (open GOPs,
 * recovery points), where browsers cannot begin.
 */
export async function findIdr(
  source: ByteSource,
  samples: SampleList,
  { coding, nalLengthSize, timescale }: ScannedTrack,
): Promise<FoundKeys> {
  const sizes = new Set<string>();
  // Sync samples of AV1 are key frames (https://aomediacodec.github.io/av1-isobmff/).
  if (coding === 'av1') return { idr: keyframeTableOf(samples), keys: keyframeTableOf(samples), sizes };
  const idr = new Uint8Array(samples.count);
  let lastIdrTicks = -Infinity;
  for (let sample = 0; sample < samples.count; sample++) {
    const dts = samples.dts[sample] ?? 0;
    if (samples.key[sample] === 0 || dts - lastIdrTicks < MIN_IDR_DISTANCE_SECONDS * timescale) continue;
    const location = { offset: samples.offset[sample] ?? 0, size: samples.size[sample] ?? 0 };
    if (!(await beginsWithIdr(source, location, { units: unitKinds[coding], nalLengthSize, sizes })))
      continue;
    idr[sample] = 1;
    lastIdrTicks = dts;
  }
  return { idr, keys: withTableKeyframes(idr, samples, MAX_CUT_SECONDS * timescale), sizes };
}

interface ScannedTrack {
  readonly coding: VideoCodingName;
  /** Bytes of the length before each NAL unit. */
  readonly nalLengthSize: number;
  readonly timescale: number;
}

const keyframeTableOf = ({ key, count }: SampleList): Uint8Array =>
  Uint8Array.from({ length: count }, (_, sample) => key[sample] ?? 0);

/**
 * Adds entries of the keyframe table where there is no IDR picture for long.
 * @param maxSpanTicks ticks after which entries are added
 */
function withTableKeyframes(
  idr: Uint8Array,
  { key, dts, count }: SampleList,
  maxSpanTicks: number,
): Uint8Array {
  const keys = Uint8Array.from(idr);
  let spanStart = 0;
  for (let spanEnd = 1; spanEnd <= count; spanEnd++) {
    if (spanEnd < count && idr[spanEnd] === 0) continue;
    const spanTicks = (dts[Math.min(spanEnd, count - 1)] ?? 0) - (dts[spanStart] ?? 0);
    if (spanTicks > maxSpanTicks)
      for (let sample = spanStart; sample < spanEnd; sample++) keys[sample] = key[sample] ?? 0;
    spanStart = spanEnd;
  }
  return keys;
}

interface IdrSearch {
  readonly units: UnitKinds;
  readonly nalLengthSize: number;
  readonly sizes: Set<string>;
}

/**
 * Whether the first picture of a frame is an IDR picture. Adds the picture sizes of the parameter sets before it to `sizes`.
 */
async function beginsWithIdr(
  source: ByteSource,
  { offset, size }: { readonly offset: number; readonly size: number },
  { units, nalLengthSize, sizes }: IdrSearch,
): Promise<boolean> {
  let head = await source.read(offset, Math.min(size, HEAD_BYTES));
  let headStart = 0;
  for (let unitStart = 0, unit = 0; unitStart + nalLengthSize < size && unit < MAX_UNITS; unit++) {
    if (unitStart + nalLengthSize >= headStart + head.length) {
      headStart = unitStart;
      head = await source.read(offset + unitStart, Math.min(size - unitStart, HEAD_BYTES));
      if (head.length <= nalLengthSize) return false;
    }
    const unitBytes = head.readUIntBE(unitStart - headStart, nalLengthSize);
    const headerOffset = unitStart - headStart + nalLengthSize;
    const type = units.typeOf(head.readUInt8(headerOffset));
    if (units.isIdr(type)) return true;
    if (units.isPicture(type)) return false;
    if (type === units.parameterSet)
      addSize(() => units.parse(head.subarray(headerOffset, headerOffset + unitBytes)), sizes);
    unitStart += nalLengthSize + unitBytes;
  }
  return false;
}

/** A picture size as text, for comparison. */
export const codedSizeText = ({
  codedWidth,
  codedHeight,
}: Pick<SequenceFacts, 'codedWidth' | 'codedHeight'>): string => `${codedWidth}x${codedHeight}`;

function addSize(readFacts: () => SequenceFacts, sizes: Set<string>): void {
  // Decoders ignore parameter sets that they cannot parse.
  const facts = parseOrNull(readFacts);
  if (facts) sizes.add(codedSizeText(facts));
}
