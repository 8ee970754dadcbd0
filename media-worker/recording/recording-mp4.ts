import { open, readFile, type FileHandle } from 'node:fs/promises';
import { initFile, segmentFile } from '@/lib/core/recorded-segment';
import { continues, type Cell } from '@/lib/core/recording-timeline';
import { recordingKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { Mp4Builder, type MediaBytes } from '../cmaf/mp4-builder';
import { readInit, type InitTrack } from '../cmaf/read-init';
import { readPartHeads } from './part-heads';

type Storage = Pick<StorageDriver, 'withFile'>;

/** A segment and what of it goes into the file, places counted in its own file. */
interface Copy {
  readonly key: string;
  readonly bytes: readonly MediaBytes[];
}

/** The MP4 of a recording before its media is copied. */
export interface RecordingMp4 {
  /** Of the whole file. */
  readonly bytes: number;
  /** The file from its first byte to its last; may be read once. */
  readonly body: (signal: AbortSignal) => AsyncGenerator<Buffer>;
}

/**
 * Plans one seekable MP4, index first, of the source's segments in this order: reads their heads only. Nothing is
 * encoded again; where the recording was interrupted both tracks go on at the same moment.
 */
export async function planMp4(
  storage: Storage,
  sessionId: string,
  cells: readonly Cell[],
  signal: AbortSignal,
): Promise<RecordingMp4> {
  const builder = new Mp4Builder();
  const copies: Copy[] = [];
  const inits = new Map<string, readonly InitTrack[]>();
  let before: Cell | undefined;
  for (const cell of cells) {
    signal.throwIfAborted();
    if (!before || !continues(before, cell))
      builder.beginPiece(await initOf(storage, sessionId, cell, inits));
    before = cell;
    const key = recordingKey(sessionId, segmentFile(cell.folder, cell));
    const heads = await storage.withFile(key, (path) =>
      withHandle(path, async (file) => {
        return readPartHeads(file, (await file.stat()).size);
      }),
    );
    const bytes = heads.flatMap(({ at, tracks }) => builder.addPart(tracks).map((copy) => moved(copy, at)));
    copies.push({ key, bytes });
  }
  const header = builder.header();
  return {
    bytes: header.length + builder.mediaBytes,
    body: (reading) => bodyOf(storage, header, copies, reading),
  };
}

async function* bodyOf(
  storage: Storage,
  header: Buffer,
  copies: readonly Copy[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  yield header;
  for (const { key, bytes } of copies) {
    signal.throwIfAborted();
    const file = await storage.withFile(key, (path) => readFile(path));
    for (const one of bytes) {
      if ('data' in one) yield one.data;
      else {
        if (one.at + one.length > file.length) throw new Error('A segment changed while it was read');
        yield file.subarray(one.at, one.at + one.length);
      }
    }
  }
}

async function initOf(
  storage: Storage,
  sessionId: string,
  { folder, stretch }: Cell,
  known: Map<string, readonly InitTrack[]>,
): Promise<readonly InitTrack[]> {
  const key = recordingKey(sessionId, initFile(folder, stretch));
  const init = known.get(key) ?? readInit(await storage.withFile(key, (path) => readFile(path)));
  known.set(key, init);
  return init;
}

async function withHandle<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

function moved(copy: MediaBytes, by: number): MediaBytes {
  return 'at' in copy ? { at: copy.at + by, length: copy.length } : copy;
}
