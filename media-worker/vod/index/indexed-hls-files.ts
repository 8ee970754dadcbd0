import { Readable } from 'node:stream';
import type { StoredObject, StoredRange } from '@/lib/infra/storage/storage-driver';
import type { HotSegments } from './hot-segments';
import {
  contentTag,
  buildIndexedInit,
  buildIndexedMaster,
  buildIndexedPlaylist,
  initFileName,
} from './indexed-hls';
import { IndexError } from './stored-lines';
import { type IndexedFile, type OpenedSegment, openSegment } from './open-segment';

/** An index with its file and its storage object. */
export interface StoredIndex extends IndexedFile {
  readonly object: StoredObject;
  /** The small HLS files, by name below `hls/`. */
  readonly smallFiles: ReadonlyMap<string, Buffer>;
}

/** HLS files of an indexed asset except its segments. */
export function createSmallFiles(head: IndexedFile['head']): ReadonlyMap<string, Buffer> {
  const tag = contentTag(head);
  return new Map([
    ['index.m3u8', Buffer.from(buildIndexedMaster(head))],
    ['source/index.m3u8', Buffer.from(buildIndexedPlaylist(head, tag))],
    ...head.periods.map(
      (period, index) => [`source/${initFileName(tag, index)}`, buildIndexedInit(period)] as const,
    ),
  ]);
}

/** One HLS file, before its content is generated. */
export interface HlsFile {
  readonly bytes: number;
  readonly open: (range?: StoredRange) => Promise<Readable>;
  /** The whole file if it is in memory because many viewers watch it, otherwise null. */
  readonly cachedBytes: () => Promise<Buffer | null>;
}

const segmentName = /^source\/([0-9a-f]{12}-)(\d{6})\.m4s$/;

/**
 * Finds an HLS file of an indexed asset.
 * @param file name below `hls/`
 * @returns null if there is no such file
 */
export function findHlsFile(index: StoredIndex, file: string, hot: HotSegments): HlsFile | null {
  const smallFile = index.smallFiles.get(file);
  if (smallFile) {
    const openSmallFile = (range?: StoredRange) =>
      Promise.resolve(Readable.from([range ? smallFile.subarray(range.start, range.end + 1) : smallFile]));
    return { bytes: smallFile.length, open: openSmallFile, cachedBytes: () => Promise.resolve(null) };
  }
  const [, tag, digits] = segmentName.exec(file) ?? [];
  const number = Number(digits);
  const segment = index.head.segments[number];
  if (!segment || tag !== contentTag(index.head)) return null;
  const { bytes } = segment;
  const openChecked = () => openCheckedSegment(index, number, bytes);
  return {
    bytes,
    cachedBytes: () =>
      hot.get(`${index.object.key} ${index.head.etag} ${number}`, bytes, async () =>
        readWhole(await openChecked(), bytes),
      ),
    open: async (range = { start: 0, end: bytes - 1 }) => {
      const clippedRange = { start: range.start, end: Math.min(range.end, bytes - 1) };
      return Readable.from((await openChecked()).body(clippedRange), { objectMode: false });
    },
  };
}

async function readWhole(segment: OpenedSegment, bytes: number): Promise<Buffer> {
  const fileBytes = Buffer.allocUnsafeSlow(bytes);
  let offset = 0;
  for await (const piece of segment.body()) offset += piece.copy(fileBytes, offset);
  return fileBytes;
}

/**
 * Opens a segment.
 * @throws IndexError if its length differs from the segment table
 */
async function openCheckedSegment(index: StoredIndex, number: number, bytes: number): Promise<OpenedSegment> {
  const segment = await openSegment(index, number);
  if (segment?.length !== bytes)
    throw new IndexError(`segment ${number} has another length than in its table`);
  return segment;
}
