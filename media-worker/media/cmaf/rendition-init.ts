import { u32 } from './boxes';
import { readBoxes, type FoundBox } from './read-boxes';
import { readInit } from './read-init';

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);
/** Number of the sample entry for the source's frames in a rendition's init segment, from 1 as in `buildMediaPart`. */
export const SOURCE_ENTRY = 2;

/**
 * The init segment of a rendition: that of the source with another sample entry and size. Timescales, edit lists,
 * display matrix and audio are unchanged, so that both have the same times. The source's own sample entry follows the
 * rendition's, for segments with the source's frames.
 * @param entry `avc1` box of the rendition
 * @throws Error if the source has no video
 */
export function buildRenditionInit(
  source: Buffer,
  { entry, width, height }: { readonly entry: Buffer; readonly width: number; readonly height: number },
): Buffer {
  const video = readInit(source).find(({ handler }) => handler === 'vide');
  if (!video) throw new Error('The source has no video');
  const replacements: Readonly<Record<string, (content: Buffer) => Buffer>> = {
    // Display size, 16.16 fixed point: the last two fields (ISO/IEC 14496-12 §8.3.2).
    tkhd: (content) => Buffer.concat([content.subarray(0, -8), u32(width * 0x10000, height * 0x10000)]),
    stsd: () => Buffer.concat([u32(0, 2), entry, video.entry]),
  };
  const rewriteBoxes = (start: number, end: number, inVideo: boolean): Buffer[] =>
    [...readBoxes(source, start, end)].map((box) => {
      const isVideo = inVideo || (box.type === 'trak' && isVideoTrak(source, box));
      const content = source.subarray(box.start, box.end);
      if (containers.has(box.type)) return boxOf(box.type, rewriteBoxes(box.start, box.end, isVideo));
      const change = isVideo ? replacements[box.type] : undefined;
      return boxOf(box.type, [change ? change(content) : content]);
    });
  return Buffer.concat(rewriteBoxes(0, source.length, false));
}

function boxOf(type: string, content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

function isVideoTrak(source: Buffer, trak: FoundBox): boolean {
  for (const mdia of readBoxes(source, trak.start, trak.end)) {
    if (mdia.type !== 'mdia') continue;
    for (const hdlr of readBoxes(source, mdia.start, mdia.end))
      if (hdlr.type === 'hdlr') return source.toString('latin1', hdlr.start + 8, hdlr.start + 12) === 'vide';
  }
  return false;
}
