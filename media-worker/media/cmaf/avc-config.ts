import { parameterSetsOfFrame, parameterSetsOfRecord } from './avc-parameter-sets';
import { CodecConfigError } from './bit-reader';
import { parseSps } from './sps';
import type { SpsFacts } from './sps';

/** One H.264 track as it has to be announced. */
export interface VideoConfig extends SpsFacts {
  /** The AVCDecoderConfigurationRecord as received: the content of the `avcC` box. */
  readonly record: Buffer;
  /** Every picture that the record announces; the first one is described here. */
  readonly pictures: readonly SpsFacts[];
  /** Bytes of the length before each NAL unit of a frame. */
  readonly nalLengthSize: number;
}

const MAX_RECORD_BYTES = 64 * 1024;

/**
 * Parses an AVCDecoderConfigurationRecord (ISO/IEC 14496-15 §5.3.3.1) and the SPS in it.
 * Throws `CodecConfigError` for anything a player could not be given.
 */
export function parseAvcConfig(record: Buffer): VideoConfig {
  if (record.length < 7 || record.length > MAX_RECORD_BYTES) {
    throw new CodecConfigError(`avcC has an impossible length of ${record.length} bytes`);
  }
  if (record[0] !== 1) throw new CodecConfigError('avcC has an unknown version');
  // Length prefixes are 1, 2 or 4 bytes; 3 is reserved.
  if ((record.readUInt8(4) & 3) === 2) throw new CodecConfigError('avcC has a NAL length size of 3');
  const [first, ...others] = parameterSetsOfRecord(record).sps;
  if (!first) throw new CodecConfigError('avcC holds no SPS');
  const facts = parseSps(first);
  return {
    ...facts,
    record,
    pictures: [facts, ...others.map((set) => parseSps(set))],
    nalLengthSize: (record.readUInt8(4) & 3) + 1,
  };
}

/** The SPS that a frame brings along (ISO/IEC 14496-10 §7.4.1.2.1): decoders follow it, whatever the record says. */
export function picturesInFrame(frame: Buffer, nalLengthSize: number): SpsFacts[] {
  return parameterSetsOfFrame(frame, nalLengthSize).sps.flatMap(readable);
}

/** A decoder that cannot read it keeps the previous one. */
function readable(sps: Buffer): SpsFacts[] {
  try {
    return [parseSps(sps)];
  } catch (error) {
    if (error instanceof CodecConfigError) return [];
    throw error;
  }
}
