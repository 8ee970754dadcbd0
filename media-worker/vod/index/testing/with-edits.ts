import { box, fullBox, u16, u32 } from '@/media-worker/media/cmaf/boxes';
import { findBox, readBoxes } from '@/media-worker/media/cmaf/read-boxes';

/** `[duration, mediaTime, rate]` in ticks of the movie and of the track. */
type EditLine = readonly [duration: number, mediaTime: number, rate?: number];

/** Returns the MP4 with other edit lists. Its `moov` box must follow its media, so that no offset changes. */
export function withEdits(
  file: Buffer,
  edits: Readonly<Record<'vide' | 'soun', readonly EditLine[]>>,
): Buffer {
  const moov = findBox(file, ['moov']);
  const changedBoxes = [...readBoxes(file, moov.start, moov.end)].map((child) => {
    const trakBox = file.subarray(child.start - 8, child.end);
    if (child.type !== 'trak') return trakBox;
    const hdlr = findBox(file, ['mdia', 'hdlr'], child);
    const lines =
      file.toString('latin1', hdlr.start + 8, hdlr.start + 12) === 'vide' ? edits.vide : edits.soun;
    const keptBoxes = [...readBoxes(file, child.start, child.end)].filter(({ type }) => type !== 'edts');
    const [tkhd, ...otherBoxes] = keptBoxes.map(({ start, end }) => file.subarray(start - 8, end));
    return box('trak', tkhd ?? Buffer.alloc(0), box('edts', editList(lines)), ...otherBoxes);
  });
  return Buffer.concat([file.subarray(0, moov.start - 8), box('moov', ...changedBoxes)]);
}

const editList = (lines: readonly EditLine[]): Buffer =>
  fullBox(
    'elst',
    0,
    0,
    u32(lines.length),
    ...lines.flatMap(([duration, time, rate = 1]) => [
      u32(duration, time < 0 ? 0xffffffff : time),
      u16(rate, 0),
    ]),
  );

/** Returns the MP4 with other frame durations, `[frames, ticks]`. Its `moov` box must follow its media. */
export const withDurations = (
  file: Buffer,
  runs: readonly (readonly [frames: number, ticks: number])[],
): Buffer => withVideoBox(file, 'stts', () => fullBox('stts', 0, 0, u32(runs.length, ...runs.flat())));

const containers = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

/**
 * Returns the MP4 with another sample table box of its video, which must be the first track. Its `moov` box must follow its
 * media.
 * @param change gets the whole box, and returns the new one
 */
export function withVideoBox(file: Buffer, type: string, change: (original: Buffer) => Buffer): Buffer {
  const moov = findBox(file, ['moov']);
  let isRewritten = false;
  const rewriteBoxes = (boxType: string, start: number, end: number): Buffer => {
    if (containers.has(boxType))
      return box(
        boxType,
        ...[...readBoxes(file, start, end)].map((child) => rewriteBoxes(child.type, child.start, child.end)),
      );
    const original = file.subarray(start - 8, end);
    if (boxType !== type || isRewritten) return original;
    isRewritten = true;
    return change(original);
  };
  return Buffer.concat([file.subarray(0, moov.start - 8), rewriteBoxes('moov', moov.start, moov.end)]);
}
