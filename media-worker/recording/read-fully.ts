import type { FileHandle } from 'node:fs/promises';

/** Fills `into` from `position` on: a call may give less than it was asked for. @throws Error at the end of the file */
export async function readFully(file: FileHandle, into: Buffer, position: number): Promise<Buffer> {
  let done = 0;
  while (done < into.length) {
    const { bytesRead } = await file.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) throw new Error('A segment is cut off');
    done += bytesRead;
  }
  return into;
}
