import { open, readFile, readdir, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { delayBoxes, withoutEditLists, type TrackDelays } from '@/media-worker/media/cmaf/edit-lists';

/**
 * Applies the edit lists of an init segment to the times of its segments, because browsers ignore edits that wait and
 * would play audio too early. Only headers are read and written.
 * @param folder with `init.mp4` and segments of ffmpeg
 */
export async function applyEditLists(folder: string): Promise<void> {
  const path = join(folder, 'init.mp4');
  const { init, delays } = withoutEditLists(await readFile(path));
  await writeFile(path, init);
  if ([...delays.values()].every((ticks) => ticks === 0)) return;
  for (const name of await readdir(folder))
    if (name.endsWith('.m4s')) await delaySegment(join(folder, name), delays);
}

async function delaySegment(path: string, delays: TrackDelays): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    for (let at = 0; at < size;) {
      const head = await readAt(file, at, 8);
      const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4)];
      if (length < 8 || at + length > size) throw new Error(`A box at ${at} of ${path} is cut off`);
      if (type === 'moof' || type === 'sidx') {
        const box = await readAt(file, at, length);
        delayBoxes(box, delays);
        await file.write(box, 0, length, at);
      }
      at += length;
    }
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead < length) throw new Error(`The file ends at ${at + bytesRead}`);
  return buffer;
}
