import { CodecConfigError } from './bit-reader';
import { parseSps } from './sps';
import type { SpsFacts } from './sps';

/** One H.264 track as it has to be announced. */
export interface VideoConfig extends SpsFacts {
  /** The AVCDecoderConfigurationRecord as received: the content of the `avcC` box. */
  readonly record: Buffer;
}

const LARGEST_RECORD = 64 * 1024;

/**
 * Parses an AVCDecoderConfigurationRecord (ISO/IEC 14496-15 §5.3.3.1) and the first SPS in it.
 * Throws `CodecConfigError` for anything a player could not be given.
 */
export function parseAvcConfig(record: Buffer): VideoConfig {
  if (record.length < 7 || record.length > LARGEST_RECORD) {
    throw new CodecConfigError(`avcC has an impossible length of ${record.length} bytes`);
  }
  if (record[0] !== 1) throw new CodecConfigError('avcC has an unknown version');
  // Length prefixes are 1, 2 or 4 bytes; 3 is reserved.
  if ((record.readUInt8(4) & 3) === 2) throw new CodecConfigError('avcC has a NAL length size of 3');
  const sps = firstParameterSet(record, 6, record.readUInt8(5) & 0x1f, 'SPS');
  firstParameterSet(record, sps.end + 1, record[sps.end] ?? 0, 'PPS');
  return { ...parseSps(sps.first), record };
}

/** Walks `count` length-prefixed parameter sets from `at`; answers the first one and where the list ends. */
function firstParameterSet(
  record: Buffer,
  at: number,
  count: number,
  name: string,
): { first: Buffer; end: number } {
  if (count === 0) throw new CodecConfigError(`avcC holds no ${name}`);
  const first = parameterSet(record, at, name);
  let end = at + 2 + first.length;
  for (let i = 1; i < count; i++) end += 2 + parameterSet(record, end, name).length;
  return { first, end };
}

function parameterSet(record: Buffer, at: number, name: string): Buffer {
  const length = at + 2 <= record.length ? record.readUInt16BE(at) : 0;
  if (length === 0 || at + 2 + length > record.length)
    throw new CodecConfigError(`avcC has no whole ${name}`);
  return record.subarray(at + 2, at + 2 + length);
}
