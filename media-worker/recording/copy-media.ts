import { type FileHandle, open } from 'node:fs/promises';
import type { StorageDriver } from '@/lib/infra/storage';
import type { MediaBytes } from '@/media-worker/media/cmaf/mp4-builder';
import { type PartTrack, readMoof } from '@/media-worker/media/cmaf/read-part';

/**
 * Fills `into` from `position` on: one read may return less than requested.
 * @throws Error at the end of the file
 */
async function readFully(file: FileHandle, into: Buffer, position: number): Promise<Buffer> {
  let readBytes = 0;
  while (readBytes < into.length) {
    const { bytesRead } = await file.read(into, readBytes, into.length - readBytes, position + readBytes);
    if (bytesRead === 0) throw new Error('A segment is cut off');
    readBytes += bytesRead;
  }
  return into;
}

/** The head of one part of a stored segment: its samples and its offset in the file. */
export interface PartHead {
  readonly at: number;
  readonly tracks: readonly PartTrack[];
}

/** Most heads fit into this; a longer one is read again as a whole. */
const guess = 4_096;
const maxHeadBytes = 1_048_576;

/**
 * Reads the heads of all parts of a segment file and skips their media.
 * @throws Error for a file that is not one of our
 * segments
 */
export async function readPartHeads(file: FileHandle, bytes: number): Promise<PartHead[]> {
  const heads: PartHead[] = [];
  let at = 0;
  while (at < bytes) {
    let head = await readAt(file, at, Math.min(guess, bytes - at));
    if (head.length < 8) throw new Error('A segment is cut off');
    const moof = head.readUInt32BE(0);
    if (moof > maxHeadBytes) throw new Error('The head of a part is too long');
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

/** Maximum number of segments read ahead: a number of files, and their total bytes. */
const ahead = { files: 4, bytes: 16 * 1024 ** 2 };

/** A stored segment and the ranges to copy, as positions in its own file. */
export interface SegmentCopy {
  readonly key: string;
  readonly length: number;
  readonly bytes: readonly MediaBytes[];
}

interface PendingRead {
  readonly copy: SegmentCopy;
  readonly data: Promise<Buffer>;
}

/**
 * Yields the bytes of the segments in order, one list of buffers per segment. A yielded buffer is valid until the next one is
 * requested, because buffers are reused: allocating one per segment costs more than copying.
 * @throws Error if a segment became shorter
 */
export async function* copyMedia(
  storage: Pick<StorageDriver, 'withFile'>,
  copies: readonly SegmentCopy[],
  signal: AbortSignal,
): AsyncGenerator<readonly Buffer[]> {
  const free: Buffer[] = [];
  const pendingReads: PendingRead[] = [];
  let [next, bufferedBytes] = [0, 0];
  const readMore = () => {
    for (let copy = copies[next]; copy; copy = copies[next]) {
      if (
        pendingReads.length > 0 &&
        (pendingReads.length >= ahead.files || bufferedBytes + copy.length > ahead.bytes)
      )
        return;
      const data = readSegment(storage, copy, bufferOf(free, copy.length));
      // A caller that has stopped reading does not see the failure.
      data.catch(() => undefined);
      pendingReads.push({ copy, data });
      bufferedBytes += copy.length;
      next += 1;
    }
  };
  readMore();
  for (let first = pendingReads.shift(); first; first = pendingReads.shift()) {
    signal.throwIfAborted();
    const data = await first.data;
    yield slicesOf(data, first.copy.bytes);
    bufferedBytes -= first.copy.length;
    free.push(Buffer.from(data.buffer));
    readMore();
  }
}

/** A free buffer that is large enough, or a new one in place of a small one. */
function bufferOf(free: Buffer[], length: number): Buffer {
  const index = free.findIndex((buffer) => buffer.length >= length);
  const [freeBuffer] = index >= 0 ? free.splice(index, 1) : [];
  if (!freeBuffer) free.pop();
  return freeBuffer ?? Buffer.allocUnsafeSlow(length + length / 4);
}

function readSegment(
  storage: Pick<StorageDriver, 'withFile'>,
  { key, length }: SegmentCopy,
  into: Buffer,
): Promise<Buffer> {
  return storage.withFile(key, async (path) => {
    const file = await open(path, 'r');
    try {
      return await readFully(file, into.subarray(0, length), 0);
    } finally {
      await file.close();
    }
  });
}

/** Merges adjacent ranges into one read. */
function slicesOf(data: Buffer, bytes: readonly MediaBytes[]): Buffer[] {
  return bytes.map((slice) => {
    if ('data' in slice) return slice.data;
    if (slice.at + slice.length > data.length) throw new Error('A segment changed while it was read');
    return data.subarray(slice.at, slice.at + slice.length);
  });
}
