import { boxAt, boxesIn, type FoundBox } from './read-boxes';

/** Display delay of each track in ticks, by track number. */
export type TrackDelays = ReadonlyMap<number, number>;

/**
 * An init segment without its edit lists, and the delays to add to the times of its segments: browsers ignore edits that
 * wait, and play such a track too early. Decode times start at zero, because players compare them with the playlist.
 * @param init init segment of ffmpeg: its edit list waits, then shows all media
 */
export function withoutEditLists(init: Buffer): { readonly init: Buffer; readonly delays: TrackDelays } {
  const plain = Buffer.from(init);
  const moov = boxAt(plain, ['moov']);
  const movieTimescale = timescaleOf(plain, boxAt(plain, ['mvhd'], moov));
  const tracks = [...boxesIn(plain, moov.start, moov.end)]
    .filter(({ type }) => type === 'trak')
    .map((trak) => {
      const timescale = timescaleOf(plain, boxAt(plain, ['mdia', 'mdhd'], trak));
      const edits = [...boxesIn(plain, trak.start, trak.end)].find(({ type }) => type === 'edts');
      const { wait, from } = edits ? readEdits(plain, boxAt(plain, ['elst'], edits)) : { wait: 0, from: 0 };
      if (edits) hide(plain, edits);
      const seconds = wait / movieTimescale - from / timescale;
      return { track: trackOf(plain, trak), timescale, seconds };
    });
  const zero = Math.min(...tracks.map(({ seconds }) => seconds));
  const delays = tracks.map(
    ({ track, timescale, seconds }) => [track, Math.round((seconds - zero) * timescale)] as const,
  );
  return { init: plain, delays: new Map(delays) };
}

/** Players skip boxes of this type. */
const hide = (data: Buffer, { start }: FoundBox): void => void data.write('free', start - 4, 'latin1');

const isLong = (data: Buffer, { start }: FoundBox): boolean => data.readUInt8(start) === 1;

const timescaleOf = (data: Buffer, header: FoundBox): number =>
  data.readUInt32BE(header.start + (isLong(data, header) ? 20 : 12));

function trackOf(data: Buffer, trak: FoundBox): number {
  const tkhd = boxAt(data, ['tkhd'], trak);
  return data.readUInt32BE(tkhd.start + (isLong(data, tkhd) ? 20 : 12));
}

/** `wait`: movie ticks before media is shown; `from`: media time of its first frame (ISO/IEC 14496-12 §8.6.6). */
function readEdits(data: Buffer, elst: FoundBox): { readonly wait: number; readonly from: number } {
  const long = isLong(data, elst);
  const count = data.readUInt32BE(elst.start + 4);
  let at = elst.start + 8;
  let wait = 0;
  for (let edit = 0; edit < count; edit++) {
    const duration = long ? Number(data.readBigUInt64BE(at)) : data.readUInt32BE(at);
    const from = long ? Number(data.readBigInt64BE(at + 8)) : data.readInt32BE(at + 4);
    if (from >= 0) return { wait, from };
    wait += duration;
    at += long ? 20 : 12;
  }
  return { wait, from: 0 };
}

/**
 * Shifts the times of a segment in place. An index (`sidx`) would repeat the old ones, so it is hidden.
 * @param boxes
 * boxes of the segment; media boxes may be left out
 */
export function delayBoxes(boxes: Buffer, delays: TrackDelays): void {
  for (const box of boxesIn(boxes)) {
    if (box.type === 'sidx') hide(boxes, box);
    if (box.type !== 'moof') continue;
    for (const traf of boxesIn(boxes, box.start, box.end))
      if (traf.type === 'traf') delayTrack(boxes, traf, delays);
  }
}

function delayTrack(data: Buffer, traf: FoundBox, delays: TrackDelays): void {
  const track = data.readUInt32BE(boxAt(data, ['tfhd'], traf).start + 4);
  const tfdt = boxAt(data, ['tfdt'], traf);
  const [at, delay] = [tfdt.start + 4, delays.get(track) ?? 0];
  if (isLong(data, tfdt)) data.writeBigUInt64BE(data.readBigUInt64BE(at) + BigInt(delay), at);
  else data.writeUInt32BE(data.readUInt32BE(at) + delay, at);
}
