import { codingOfEntry, type VideoCodingName } from '@/media-worker/media/cmaf/codec-config';
import type { BoxView } from './box-view';

/** Codec of a track's samples (ISO/IEC 14496-12 §8.5.2). */
export interface SampleEntry {
  /** Four-character type, such as `avc1`. */
  readonly type: string;
  /** Video codec, if it is packaged unchanged. */
  readonly coding: VideoCodingName | undefined;
  /** Decoder configuration record of video, or AudioSpecificConfig. */
  readonly record: Buffer | undefined;
  /** Aspect ratio of one pixel, if the entry contains it. */
  readonly pixelAspect: { readonly num: number; readonly den: number } | undefined;
}

/** Bytes of a video entry before its boxes (ISO/IEC 14496-12 §12.1.3). */
const VISUAL_BYTES = 78;
/** Bytes of an audio entry before its boxes (ISO/IEC 14496-12 §12.2.3). */
const AUDIO_BYTES = 28;
/** Extra bytes of QuickTime sound descriptions, by version. */
const extraAudioBytes: readonly number[] = [0, 16, 36];
/** Maximum number of entries read; later ones are ignored. */
const MAX_ENTRIES = 256;
const MAX_RECORD_BYTES = 65_536;

/** The sample entries of a track, of which each sample uses one. */
export function readEntries(stsd: BoxView): SampleEntry[] {
  const entries: SampleEntry[] = [];
  for (const box of stsd.children(8)) {
    if (entries.length === MAX_ENTRIES) break;
    entries.push(readEntry(box));
  }
  return entries;
}

function readEntry(box: BoxView): SampleEntry {
  const { type } = box;
  const unknownEntry = { type, coding: undefined, record: undefined, pixelAspect: undefined };
  const coding = codingOfEntry(type);
  if (coding && box.length >= VISUAL_BYTES) {
    const childBoxes = [...box.children(VISUAL_BYTES)];
    const pasp = childBoxes.find((box) => box.type === 'pasp' && box.length >= 8);
    const [num = 0, den = 0] = pasp ? [pasp.u32(0), pasp.u32(4)] : [];
    return {
      type,
      coding: coding.name,
      record: copyRecord(childBoxes.find((box) => box.type === coding.recordBox)?.data),
      pixelAspect: num > 0 && den > 0 ? { num, den } : undefined,
    };
  }
  if (type === 'mp4a' && box.length >= AUDIO_BYTES) {
    const childrenOffset = AUDIO_BYTES + (extraAudioBytes[box.u16(8)] ?? 0);
    const childBoxes = [...box.children(childrenOffset)];
    // QuickTime files have the decoder configuration in a box `wave`.
    const wave = childBoxes.find((box) => box.type === 'wave');
    const esds = [...childBoxes, ...(wave?.children() ?? [])].find((box) => box.type === 'esds');
    return { ...unknownEntry, record: copyRecord(esds && findAudioConfig(esds.data)) };
  }
  return unknownEntry;
}

const copyRecord = (data: Buffer | undefined): Buffer | undefined =>
  data && data.length <= MAX_RECORD_BYTES ? Buffer.from(data) : undefined;

/** Object types of AAC in MPEG-4 and in the profiles of MPEG-2 (ISO/IEC 14496-1 table 5). */
const aacObjectTypes = [0x40, 0x66, 0x67, 0x68];

/** The DecoderSpecificInfo of an `esds` box, if it is AAC (ISO/IEC 14496-1 §7.2.6). */
function findAudioConfig(esds: Buffer): Buffer | undefined {
  // Tags: 3 is ES_Descriptor, 4 DecoderConfigDescriptor, 5 DecoderSpecificInfo.
  const elementary = readDescriptor(esds, 4);
  if (elementary?.tag !== 3) return undefined;
  // After the id of two bytes, flags announce optional fields: 0x80 an id, 0x40 a URL after its length, 0x20 another id.
  const flags = esds[elementary.start + 2] ?? 0;
  const urlBytes = (flags & 0x40) === 0 ? 0 : 1 + (esds[elementary.start + 3] ?? 0);
  const optional = ((flags & 0x80) === 0 ? 0 : 2) + urlBytes + ((flags & 0x20) === 0 ? 0 : 2);
  const decoder = readDescriptor(esds, elementary.start + 3 + optional);
  if (decoder?.tag !== 4 || !aacObjectTypes.includes(esds[decoder.start] ?? 0)) return undefined;
  // After object type (1 byte), stream type and buffer size (4), and two bitrates (8).
  const specific = readDescriptor(esds, decoder.start + 13);
  return specific?.tag === 5 ? esds.subarray(specific.start, specific.end) : undefined;
}

/** Positions of a descriptor's content; `end` is exclusive. */
interface Descriptor {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/** Reads a descriptor, whose length has up to four groups of seven bits (ISO/IEC 14496-1 §8.3.3). */
function readDescriptor(data: Buffer, offset: number): Descriptor | undefined {
  const tag = data[offset];
  if (tag === undefined) return undefined;
  let length = 0;
  let start = offset + 1;
  for (let group = 0; group < 4; group++) {
    const byte = data[start++] ?? 0;
    length = length * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) break;
  }
  const end = start + length;
  return end <= data.length ? { tag, start, end } : undefined;
}
