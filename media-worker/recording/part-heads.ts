import type { FileHandle } from 'node:fs/promises';
import { readMoof, type PartTrack } from '../cmaf/read-part';

/** One part of a stored segment: its samples, and its offset in the file. */
export interface PartHead {
  readonly at: number;
  readonly tracks: readonly PartTrack[];
}

/** Most heads fit; a longer one is read again as a whole. */
const guess = 4_096;
const longestHead = 1_048_576;

/**
 * Reads the heads of all parts of a segment file and skips their media. @throws Error for what is no segment of ours
 */
export async function readPartHeads(file: FileHandle, bytes: number): Promise<PartHead[]> {
  const heads: PartHead[] = [];
  let at = 0;
  while (at < bytes) {
    let head = await readAt(file, at, Math.min(guess, bytes - at));
    if (head.length < 8) throw new Error('A segment is cut off');
    const moof = head.readUInt32BE(0);
    if (moof > longestHead) throw new Error('The head of a part is too long');
    if (moof + 8 > head.length) head = await readAt(file, at, moof + 8);
    if (head.length < moof + 8 || head.toString('latin1', moof + 4, moof + 8) !== 'mdat') {
      throw new Error('A segment is cut off');
    }
    heads.push({ at, tracks: readMoof(head.subarray(0, moof)) });
    at += moof + head.readUInt32BE(moof);
  }
  if (at !== bytes) throw new Error('A segment is cut off');
  return heads;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const data = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(data, 0, length, position);
  return data.subarray(0, bytesRead);
}
