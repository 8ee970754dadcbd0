import { parseAacConfig } from '../cmaf/aac-config';

/** RFC 6381 names of the tracks of an init segment, video first. What cannot be read is left out. */
export function codecsOf(init: Buffer): string[] {
  return [videoCodec(init), audioCodec(init)].filter((codec) => codec !== null);
}

/** Profile, compatibility and level follow the version byte of the `avcC` box (ISO/IEC 14496-15 §5.3.3.1). */
function videoCodec(init: Buffer): string | null {
  const place = init.indexOf('avcC');
  if (place === -1 || place + 8 > init.length) return null;
  return `avc1.${init.subarray(place + 5, place + 8).toString('hex')}`;
}

/** The AudioSpecificConfig is the descriptor with tag 5 of the `esds` box (ISO/IEC 14496-1 §7.2.6). */
function audioCodec(init: Buffer): string | null {
  const place = init.indexOf('esds');
  if (place === -1) return null;
  const tag = init.indexOf(Buffer.from([0x05, 0x80, 0x80, 0x80]), place);
  const long = tag !== -1;
  const start = long ? tag : init.indexOf(0x05, place + 20);
  if (start === -1) return null;
  const length = init[start + (long ? 4 : 1)] ?? 0;
  const begin = start + (long ? 5 : 2);
  try {
    return parseAacConfig(init.subarray(begin, begin + length)).codec;
  } catch {
    return 'mp4a.40.2';
  }
}
