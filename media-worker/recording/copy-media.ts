import { type FileHandle, open } from 'node:fs/promises';
import type { StorageDriver } from '@/lib/infra/storage';
import type { MediaSlice } from '@/media-worker/media/cmaf/mp4-builder';
import { type PartTrack, readMoof } from '@/media-worker/media/cmaf/read-part';

/**
 * Fills a buffer from a position of a file. One read may return less than requested, so several may be needed.
 * @throws Error if the file ends before the buffer is full
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

/** The content of the `moof` box of one part of a stored segment, and the offset of the box in the file. */
export interface PartHead {
  readonly offset: number;
  readonly tracks: readonly PartTrack[];
}

/** Bytes read for the head of a part. A longer head is read again as a whole. */
const HEAD_READ_BYTES = 4_096;
const MAX_HEAD_BYTES = 1_048_576;

/**
 * Reads the heads of all parts of a segment file and skips their media.
 * @throws Error if the file is truncated, or is not a segment of this service
 */
export async function readPartHeads(file: FileHandle, fileBytes: number): Promise<PartHead[]> {
  const heads: PartHead[] = [];
  let offset = 0;
  while (offset < fileBytes) {
    let head = await readAt(file, offset, Math.min(HEAD_READ_BYTES, fileBytes - offset));
    if (head.length < 8) throw new Error('A segment is cut off');
    const moofBytes = head.readUInt32BE(0);
    if (moofBytes > MAX_HEAD_BYTES) throw new Error('The head of a part is too long');
    if (moofBytes + 8 > head.length) head = await readAt(file, offset, moofBytes + 8);
    if (head.length < moofBytes + 8 || head.toString('latin1', moofBytes + 4, moofBytes + 8) !== 'mdat') {
      throw new Error('A segment is cut off');
    }
    heads.push({ offset, tracks: readMoof(head.subarray(0, moofBytes)) });
    offset += moofBytes + head.readUInt32BE(moofBytes);
  }
  if (offset !== fileBytes) throw new Error('A segment is cut off');
  return heads;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const data = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(data, 0, length, position);
  return data.subarray(0, bytesRead);
}

/** Maximum number and total size of the segments that are read ahead. One larger segment is read alone. */
const readAheadLimits = { files: 4, bytes: 16 * 1024 ** 2 };

/** A stored segment with its size, and the slices to copy, whose offsets are in the segment's file. */
export interface SegmentCopy {
  readonly key: string;
  readonly bytes: number;
  readonly slices: readonly MediaSlice[];
}

interface PendingRead {
  readonly copy: SegmentCopy;
  readonly data: Promise<Buffer>;
}

/**
 * The slices of the segments in order, one list of buffers per segment. The buffers are valid until the next list is
 * requested, because they are reused: allocating a buffer per segment costs more than copying.
 * @throws Error if a segment has become shorter, or `signal` aborts
 */
export async function* copyMedia(
  storage: Pick<StorageDriver, 'withFile'>,
  copies: readonly SegmentCopy[],
  signal: AbortSignal,
): AsyncGenerator<readonly Buffer[]> {
  const freeBuffers: Buffer[] = [];
  const pendingReads: PendingRead[] = [];
  let [nextIndex, bufferedBytes] = [0, 0];
  const readMore = () => {
    for (let copy = copies[nextIndex]; copy; copy = copies[nextIndex]) {
      if (
        pendingReads.length > 0 &&
        (pendingReads.length >= readAheadLimits.files || bufferedBytes + copy.bytes > readAheadLimits.bytes)
      )
        return;
      const data = readSegment(storage, copy, reuseBuffer(freeBuffers, copy.bytes));
      // A caller that has stopped reading does not see the failure.
      data.catch(() => undefined);
      pendingReads.push({ copy, data });
      bufferedBytes += copy.bytes;
      nextIndex += 1;
    }
  };
  readMore();
  for (let nextRead = pendingReads.shift(); nextRead; nextRead = pendingReads.shift()) {
    signal.throwIfAborted();
    const data = await nextRead.data;
    yield sliceMedia(data, nextRead.copy.slices);
    bufferedBytes -= nextRead.copy.bytes;
    freeBuffers.push(Buffer.from(data.buffer));
    readMore();
  }
}

/** Takes a free buffer that is large enough. Otherwise a new buffer replaces one that is too small. */
function reuseBuffer(freeBuffers: Buffer[], length: number): Buffer {
  const index = freeBuffers.findIndex((buffer) => buffer.length >= length);
  const [freeBuffer] = index >= 0 ? freeBuffers.splice(index, 1) : [];
  if (!freeBuffer) freeBuffers.pop();
  return freeBuffer ?? Buffer.allocUnsafeSlow(length + length / 4);
}

function readSegment(
  storage: Pick<StorageDriver, 'withFile'>,
  { key, bytes }: SegmentCopy,
  into: Buffer,
): Promise<Buffer> {
  return storage.withFile(key, async (path) => {
    const file = await open(path, 'r');
    try {
      return await readFully(file, into.subarray(0, bytes), 0);
    } finally {
      await file.close();
    }
  });
}

/** The buffers of one segment: slices of its file, and bytes that replace parts of it. */
function sliceMedia(data: Buffer, slices: readonly MediaSlice[]): Buffer[] {
  return slices.map((slice) => {
    if ('data' in slice) return slice.data;
    if (slice.offset + slice.length > data.length) throw new Error('A segment changed while it was read');
    return data.subarray(slice.offset, slice.offset + slice.length);
  });
}
