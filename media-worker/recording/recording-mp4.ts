import { open, readFile } from 'node:fs/promises';
import { initPath, segmentPath } from '@/lib/core/sessions/recorded-segment';
import { isContinuous, type Cell } from '@/lib/core/sessions/recording-timeline';
import { recordingKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { AUDIO_TRACK } from '@/media-worker/media/cmaf/init-segment';
import { Mp4Builder, type MediaBytes } from '@/media-worker/media/cmaf/mp4-builder';
import { readEntryType, readInit, type InitTrack } from '@/media-worker/media/cmaf/read-init';
import { SILENT_UNITS } from '@/media-worker/media/packets/silent-units';
import { type PartHead, type SegmentCopy, copyMedia, readPartHeads } from './copy-media';

/** Maximum number of files read at the same time. */
const MAX_CONCURRENT_READS = 6;

type Storage = Pick<StorageDriver, 'withFile'>;

/** A segment of the recording, and the length of its file. */
export interface StoredSegment {
  readonly cell: Cell;
  readonly length: number;
}

/** The MP4 of a recording, planned before its media is copied. */
export interface RecordingMp4 {
  /** Size of the whole file. */
  readonly bytes: number;
  /** The content of the file; may be read once. */
  readonly body: (signal: AbortSignal) => AsyncGenerator<readonly Buffer[]>;
}

/**
 * Plans one seekable MP4 of the segments of the source, with its index first. Only the heads of the parts are
 * read, and nothing is encoded. After an interruption, both tracks continue at the same time.
 * @param hasAddedAudio whether the audio began as added silence, which is left out if all of it is silent
 */
export async function planMp4(
  storage: Storage,
  sessionId: string,
  storedSegments: readonly StoredSegment[],
  { hasAddedAudio, signal }: { readonly hasAddedAudio: boolean; readonly signal: AbortSignal },
): Promise<RecordingMp4> {
  const builder = new Mp4Builder();
  const copies: SegmentCopy[] = [];
  const inits = new Map<string, readonly InitTrack[]>();
  const segments = await selectMainCoding(storedSegments, (cell) =>
    readInitCached(storage, sessionId, cell, inits),
  );
  let cellBefore: Cell | undefined;
  const keyOf = (cell: Cell) => recordingKey(sessionId, segmentPath(cell.folder, cell));
  const readHeads = ({ cell, length }: StoredSegment) => readSegmentHeads(storage, keyOf(cell), length);
  const isSilent = hasAddedAudio && (await hasOnlySilence(readConcurrently(segments, readHeads), signal));
  const isWanted = ({ track }: { readonly track: number }) => !isSilent || track !== AUDIO_TRACK;
  for await (const [{ cell, length }, heads] of readConcurrently(segments, readHeads)) {
    signal.throwIfAborted();
    if (!cellBefore || !isContinuous(cellBefore, cell))
      builder.startPiece((await readInitCached(storage, sessionId, cell, inits)).filter(isWanted));
    cellBefore = cell;
    const bytes = heads.flatMap(({ at, tracks }) => {
      const playableTracks = tracks.filter(isWanted);
      return playableTracks.length === 0
        ? []
        : builder.addPart(playableTracks).map((copy) => shiftCopy(copy, at));
    });
    copies.push({ key: keyOf(cell), length, bytes });
  }
  const header = builder.header();
  return {
    bytes: header.length + builder.mediaBytes,
    body: (reading) => readBody(storage, header, copies, reading),
  };
}

/**
 * Selects the segments with the most common video coding, because players decode a track of an MP4 with one
 * decoder. The playlists list all segments.
 */
async function selectMainCoding(
  segments: readonly StoredSegment[],
  initOfCell: (cell: Cell) => Promise<readonly InitTrack[]>,
): Promise<readonly StoredSegment[]> {
  const durations = new Map<string, number>();
  const typedSegments: [StoredSegment, string | undefined][] = [];
  for (const segment of segments) {
    const video = (await initOfCell(segment.cell)).find(({ handler }) => handler === 'vide');
    const type = video && readEntryType(video.entry);
    typedSegments.push([segment, type]);
    if (type) durations.set(type, (durations.get(type) ?? 0) + segment.cell.durationMs);
  }
  const [mainType] = [...durations].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return typedSegments.flatMap(([segment, type]) =>
    type === undefined || type === mainType ? [segment] : [],
  );
}

const silentSizes: ReadonlySet<number> = new Set([...SILENT_UNITS.values()].map(({ length }) => length));

/** Whether every audio frame has the size of a silent frame. */
async function hasOnlySilence(
  segments: AsyncIterable<[StoredSegment, readonly PartHead[]]>,
  signal: AbortSignal,
): Promise<boolean> {
  for await (const [, heads] of segments) {
    signal.throwIfAborted();
    const audio = heads.flatMap(({ tracks }) => tracks.filter(({ track }) => track === AUDIO_TRACK));
    if (audio.some(({ sizes }) => sizes.some((size) => !silentSizes.has(size)))) return false;
  }
  return true;
}

async function* readBody(
  storage: Storage,
  header: Buffer,
  copies: readonly SegmentCopy[],
  signal: AbortSignal,
): AsyncGenerator<readonly Buffer[]> {
  yield [header];
  yield* copyMedia(storage, copies, signal);
}

/** Reads several items concurrently, because reading is mostly waiting, and yields them in order. */
async function* readConcurrently<In, Out>(
  items: readonly In[],
  readItem: (item: In) => Promise<Out>,
): AsyncGenerator<[In, Out]> {
  const pendingReads: Promise<Out>[] = [];
  const startRead = (index: number) => {
    const item = items[index];
    if (item === undefined) return;
    const result = readItem(item);
    // Prevents an unhandled rejection if the caller stops reading before this item.
    result.catch(() => undefined);
    pendingReads.push(result);
  };
  for (let index = 0; index < MAX_CONCURRENT_READS; index++) startRead(index);
  for (const [index, item] of items.entries()) {
    const pendingRead = pendingReads.shift();
    startRead(index + MAX_CONCURRENT_READS);
    if (pendingRead) yield [item, await pendingRead];
  }
}

function readSegmentHeads(storage: Storage, key: string, length: number): Promise<PartHead[]> {
  return storage.withFile(key, async (path) => {
    const file = await open(path, 'r');
    try {
      return await readPartHeads(file, length);
    } finally {
      await file.close();
    }
  });
}

async function readInitCached(
  storage: Storage,
  sessionId: string,
  { folder, period }: Cell,
  initCache: Map<string, readonly InitTrack[]>,
): Promise<readonly InitTrack[]> {
  const key = recordingKey(sessionId, initPath(folder, period));
  const init = initCache.get(key) ?? readInit(await storage.withFile(key, (path) => readFile(path)));
  initCache.set(key, init);
  return init;
}

function shiftCopy(copy: MediaBytes, by: number): MediaBytes {
  return 'at' in copy ? { at: copy.at + by, length: copy.length } : copy;
}
