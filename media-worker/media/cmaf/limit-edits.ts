import { type FoundBox, findBox, readBoxes } from './read-boxes';

/** The part of a presentation that stays visible. */
export interface ShownRange {
  /** Its start, in seconds of the presentation. */
  readonly startSeconds: number;
  /** Its duration. */
  readonly durationSeconds: number;
}

/**
 * Limits the presentation of every track to a range with its edit list (ISO/IEC 14496-12 §8.6.6): other frames stay
 * in the file, but are hidden. Changes the box in place; tracks without an edit list are unchanged.
 * @param moov the whole box
 */
export function limitEdits(moov: Buffer, { startSeconds, durationSeconds }: ShownRange): void {
  // The offsets of all fields depend on the version of their box: times have 64 bits in version 1, and 32 bits in version 0.
  const moovContent = findBox(moov, ['moov']);
  const mvhd = findBox(moov, ['mvhd'], moovContent);
  const is64Bit = moov.readUInt8(mvhd.start) === 1;
  const timescale = moov.readUInt32BE(mvhd.start + (is64Bit ? 20 : 12));
  const [skippedTicks, shownTicks] = [
    Math.round(startSeconds * timescale),
    Math.round(durationSeconds * timescale),
  ];
  const limit = { skippedTicks, shownTicks, timescale };
  let longestTicks = 0;
  for (const trak of readBoxes(moov, moovContent.start, moovContent.end)) {
    if (trak.type !== 'trak') continue;
    const tkhd = findBox(moov, ['tkhd'], trak);
    const offset = tkhd.start + (moov.readUInt8(tkhd.start) === 1 ? 28 : 20);
    const is64BitTrack = moov.readUInt8(tkhd.start) === 1;
    const durationTicks = limitTrackEdits(moov, trak, limit) ?? readTicks(moov, offset, is64BitTrack);
    writeTicks(moov, offset, is64BitTrack, durationTicks);
    longestTicks = Math.max(longestTicks, durationTicks);
  }
  writeTicks(moov, mvhd.start + (is64Bit ? 24 : 16), is64Bit, longestTicks);
}

/** The remaining range in movie ticks. */
interface EditLimit {
  readonly skippedTicks: number;
  readonly shownTicks: number;
  readonly timescale: number;
}

/**
 * Limits the edits of one track.
 * @returns their duration in movie ticks; null without an edit list
 */
function limitTrackEdits(moov: Buffer, trak: FoundBox, limit: EditLimit): number | null {
  const edits = [...readBoxes(moov, trak.start, trak.end)].find(({ type }) => type === 'edts');
  if (!edits) return null;
  const elst = findBox(moov, ['elst'], edits);
  const is64Bit = moov.readUInt8(elst.start) === 1;
  const editCount = moov.readUInt32BE(elst.start + 4);
  let [ticksToSkip, ticksLeft, keptCount] = [limit.skippedTicks, limit.shownTicks, 0];
  const entryBytes = is64Bit ? 20 : 12;
  for (let edit = 0; edit < editCount; edit++) {
    const offset = elst.start + 8 + edit * entryBytes;
    const editTicks = readTicks(moov, offset, is64Bit);
    const skippedTicks = Math.min(ticksToSkip, editTicks);
    const shownTicks = Math.min(ticksLeft, editTicks - skippedTicks);
    ticksToSkip -= skippedTicks;
    ticksLeft -= shownTicks;
    if (shownTicks === 0) continue;
    moveMediaTime(moov, { offset, is64Bit }, (skippedTicks * trackTimescale(moov, trak)) / limit.timescale);
    writeTicks(moov, offset, is64Bit, shownTicks);
    // The remaining edits move to the front, because an edit with length 0 would last to the end.
    moov.copy(moov, elst.start + 8 + keptCount * entryBytes, offset, offset + entryBytes);
    keptCount++;
  }
  if (keptCount > 0) moov.writeUInt32BE(keptCount, elst.start + 4);
  return limit.shownTicks - ticksLeft;
}

const readTicks = (data: Buffer, offset: number, is64Bit: boolean): number =>
  is64Bit ? Number(data.readBigUInt64BE(offset)) : data.readUInt32BE(offset);

function writeTicks(data: Buffer, offset: number, is64Bit: boolean, ticks: number): void {
  if (is64Bit) data.writeBigUInt64BE(BigInt(ticks), offset);
  else data.writeUInt32BE(ticks, offset);
}

/** Adds ticks of the track to the media time of the edit at an offset. Empty edits (time -1) have no media. */
function moveMediaTime(
  data: Buffer,
  { offset, is64Bit }: { readonly offset: number; readonly is64Bit: boolean },
  ticks: number,
): void {
  const time = is64Bit ? Number(data.readBigInt64BE(offset + 8)) : data.readInt32BE(offset + 4);
  if (time < 0) return;
  const movedTime = time + Math.round(ticks);
  if (is64Bit) data.writeBigInt64BE(BigInt(movedTime), offset + 8);
  else data.writeInt32BE(movedTime, offset + 4);
}

function trackTimescale(data: Buffer, trak: FoundBox): number {
  const mdhd = findBox(data, ['mdia', 'mdhd'], trak);
  return data.readUInt32BE(mdhd.start + (data.readUInt8(mdhd.start) === 1 ? 20 : 12));
}
