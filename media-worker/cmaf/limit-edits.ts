import { type FoundBox, boxAt, boxesIn } from './read-boxes';

/**
 * Ends the presentation of every track after `seconds`, by its edit list (ISO/IEC 14496-12 §8.6.6): frames behind the end
 * stay in the file, but are not shown. Changes the box in place; tracks without an edit list stay as they are.
 * @param moov the box as a whole
 */
export function limitEdits(moov: Buffer, seconds: number): void {
  const outer = boxAt(moov, ['moov']);
  const mvhd = boxAt(moov, ['mvhd'], outer);
  const wide = moov.readUInt8(mvhd.start) === 1;
  const limit = Math.round(seconds * moov.readUInt32BE(mvhd.start + (wide ? 20 : 12)));
  let longest = 0;
  for (const trak of boxesIn(moov, outer.start, outer.end)) {
    if (trak.type !== 'trak') continue;
    const tkhd = boxAt(moov, ['tkhd'], trak);
    const at = tkhd.start + (moov.readUInt8(tkhd.start) === 1 ? 28 : 20);
    const wideTrack = moov.readUInt8(tkhd.start) === 1;
    const length = limitedEdits(moov, trak, limit) ?? readTicks(moov, at, wideTrack);
    writeTicks(moov, at, wideTrack, length);
    longest = Math.max(longest, length);
  }
  writeTicks(moov, mvhd.start + (wide ? 24 : 16), wide, longest);
}

/** @returns how long the edits of a track last; null without an edit list */
function limitedEdits(moov: Buffer, trak: FoundBox, limit: number): number | null {
  const edits = [...boxesIn(moov, trak.start, trak.end)].find(({ type }) => type === 'edts');
  if (!edits) return null;
  const elst = boxAt(moov, ['elst'], edits);
  const wide = moov.readUInt8(elst.start) === 1;
  const count = moov.readUInt32BE(elst.start + 4);
  let left = limit;
  for (let edit = 0; edit < count; edit++) {
    const at = elst.start + 8 + edit * (wide ? 20 : 12);
    const length = Math.min(left, readTicks(moov, at, wide));
    writeTicks(moov, at, wide, length);
    left -= length;
  }
  return limit - left;
}

const readTicks = (data: Buffer, at: number, wide: boolean): number =>
  wide ? Number(data.readBigUInt64BE(at)) : data.readUInt32BE(at);

function writeTicks(data: Buffer, at: number, wide: boolean, ticks: number): void {
  if (wide) data.writeBigUInt64BE(BigInt(ticks), at);
  else data.writeUInt32BE(ticks, at);
}
