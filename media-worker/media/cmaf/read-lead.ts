import { findBox, readBoxes, type FoundBox } from './read-boxes';

/**
 * Seconds of video before the first visible frame: a player decodes these frames, but the edit list hides them
 * (ISO/IEC 14496-12 §8.6.6).
 * @param moov the whole box, of a file whose first sample is a keyframe
 * @throws Error if a box is missing or truncated
 */
export function readHiddenLead(moov: Buffer): number {
  const moovContent = findBox(moov, ['moov']);
  for (const trak of readBoxes(moov, moovContent.start, moovContent.end)) {
    if (trak.type !== 'trak') continue;
    const hdlr = findBox(moov, ['mdia', 'hdlr'], trak);
    if (moov.toString('latin1', hdlr.start + 8, hdlr.start + 12) !== 'vide') continue;
    const edits = [...readBoxes(moov, trak.start, trak.end)].find(({ type }) => type === 'edts');
    const visibleFromTicks = edits ? readFirstMediaTime(moov, findBox(moov, ['elst'], edits)) : 0;
    return Math.max(0, visibleFromTicks - readFirstCompositionOffset(moov, trak)) / readTimescale(moov, trak);
  }
  return 0;
}

/** Media time of the first edit with media, in ticks. Empty edits before it (time -1) are delays. */
function readFirstMediaTime(data: Buffer, elst: FoundBox): number {
  const is64Bit = data.readUInt8(elst.start) === 1;
  const count = data.readUInt32BE(elst.start + 4);
  const entryBytes = is64Bit ? 20 : 12;
  for (let offset = elst.start + 8; offset < elst.start + 8 + count * entryBytes; offset += entryBytes) {
    const time = is64Bit ? Number(data.readBigInt64BE(offset + 8)) : data.readInt32BE(offset + 4);
    if (time >= 0) return time;
  }
  return 0;
}

/** Presentation minus decode time of the first sample, in ticks. */
function readFirstCompositionOffset(data: Buffer, trak: FoundBox): number {
  const stbl = findBox(data, ['mdia', 'minf', 'stbl'], trak);
  const ctts = [...readBoxes(data, stbl.start, stbl.end)].find(({ type }) => type === 'ctts');
  return ctts && data.readUInt32BE(ctts.start + 4) > 0 ? data.readInt32BE(ctts.start + 12) : 0;
}

function readTimescale(data: Buffer, trak: FoundBox): number {
  const mdhd = findBox(data, ['mdia', 'mdhd'], trak);
  return data.readUInt32BE(mdhd.start + (data.readUInt8(mdhd.start) === 1 ? 20 : 12));
}
