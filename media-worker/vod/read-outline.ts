import { open, type FileHandle } from 'node:fs/promises';
import type { Mp4Outline, TopBox } from '@/lib/core/mp4-outline';

/** A fragmented file has two boxes a fragment: enough for a day in pieces of a second. */
const mostBoxes = 200_000;
const headerBytes = 16;

/** The boxes at the top of a file, by their headers alone: a few reads however large it is. */
export async function readOutline(path: string): Promise<Mp4Outline> {
  const file = await open(path, 'r');
  try {
    const { size: fileSize } = await file.stat();
    const boxes: TopBox[] = [];
    let brand = '';
    for (let start = 0; fileSize - start >= 8 && boxes.length < mostBoxes;) {
      const header = await read(file, start);
      const box = { type: typeOf(header), start, size: sizeOf(header, fileSize - start) };
      if (boxes.length === 0) brand = header.subarray(8, 12).toString('latin1');
      boxes.push(box);
      start += box.size;
    }
    return { brand, boxes, fileSize };
  } finally {
    await file.close();
  }
}

async function read(file: FileHandle, position: number): Promise<Buffer> {
  const header = Buffer.alloc(headerBytes);
  await file.read(header, 0, headerBytes, position);
  return header;
}

function typeOf(header: Buffer): string {
  return header
    .subarray(4, 8)
    .toString('latin1')
    .replace(/[^A-Za-z0-9 _-]/g, '?');
}

/** 0 means "to the end of the file", 1 that 64 bits follow. A size that no box can have leads out of the file. */
function sizeOf(header: Buffer, left: number): number {
  const short = header.readUInt32BE(0);
  if (short === 0) return left;
  const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
  return size < 8 ? left + 1 : size;
}
