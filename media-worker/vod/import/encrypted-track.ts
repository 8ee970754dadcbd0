import { type FileHandle, open } from 'node:fs/promises';
import type { Mp4Outline } from '@/lib/core/media/media-rules';

/** Path of a track's sample descriptions (ISO/IEC 14496-12 §8.5.2). */
const sampleDescriptionPath = ['trak', 'mdia', 'minf', 'stbl', 'stsd'];
/** Sample entries of encrypted video and audio: ISO/IEC 14496-12 §8.12, and the older ones of iTunes. */
const encryptedEntryTypes = ['encv', 'enca', 'drmi', 'drms'];
/** Maximum number of boxes read; a track has about 20. */
const MAX_BOXES = 4_000;
/** Header of `stsd`: version, flags and number of entries. */
const DESCRIPTION_HEADER_BYTES = 8;

/**
 * Whether video or audio of an MP4 is encrypted. ffprobe reports such tracks like plain ones, and decoders produce
 * noise. Only box headers are read.
 */
export async function hasEncryptedTrack(path: string, { boxes }: Mp4Outline): Promise<boolean> {
  const moov = boxes.find(({ type }) => type === 'moov');
  if (!moov) return false;
  const file = await open(path, 'r');
  try {
    const boxBudget = { left: MAX_BOXES };
    const entries = await readEntryTypes(
      file,
      { start: moov.start + 8, end: moov.start + moov.size },
      sampleDescriptionPath,
      boxBudget,
    );
    return entries.some((type) => encryptedEntryTypes.includes(type));
  } finally {
    await file.close();
  }
}

/** Positions in the file; `end` is exclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Types of the boxes at the end of a path of box types: here, of the sample entries. */
async function readEntryTypes(
  file: FileHandle,
  range: ByteRange,
  [boxType, ...deeperTypes]: readonly string[],
  budget: { left: number },
): Promise<string[]> {
  const entries: string[] = [];
  const header = Buffer.alloc(8);
  for (let boxStart = range.start; boxStart + 8 <= range.end && budget.left > 0;) {
    budget.left -= 1;
    await file.read(header, 0, 8, boxStart);
    const [size, type] = [header.readUInt32BE(0), header.toString('latin1', 4)];
    if (size < 8) break;
    const contentRange = { start: boxStart + 8, end: Math.min(boxStart + size, range.end) };
    if (boxType === undefined) entries.push(type);
    else if (type === boxType) {
      const skippedBytes = deeperTypes.length === 0 ? DESCRIPTION_HEADER_BYTES : 0;
      entries.push(
        ...(await readEntryTypes(
          file,
          { ...contentRange, start: contentRange.start + skippedBytes },
          deeperTypes,
          budget,
        )),
      );
    }
    boxStart += size;
  }
  return entries;
}
