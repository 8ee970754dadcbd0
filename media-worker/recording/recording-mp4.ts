import { open, readFile } from 'node:fs/promises';
import { initPath, segmentPath } from '@/lib/core/sessions/recorded-segment';
import { isContinuous, type RenditionSegment } from '@/lib/core/sessions/recording-timeline';
import { recordingKey } from '@/lib/core/storage-keys';
import type { StorageDriver } from '@/lib/infra/storage';
import { AUDIO_TRACK } from '@/media-worker/media/cmaf/init-segment';
import { Mp4Builder, type MediaSlice } from '@/media-worker/media/cmaf/mp4-builder';
import { readEntryType, readInit, type InitTrack } from '@/media-worker/media/cmaf/read-init';
import { SILENT_UNITS } from '@/media-worker/media/packets/silent-units';
import { type PartHead, type SegmentCopy, copyMedia, readPartHeads } from './copy-media';

/** Maximum number of files read at the same time. */
const MAX_CONCURRENT_READS = 6;

type Storage = Pick<StorageDriver, 'withFile'>;

/** A segment of the recording, and the size of its file in bytes. */
export interface StoredSegment {
  readonly segment: RenditionSegment;
  readonly bytes: number;
}

/** The MP4 of a recording, planned before its media is copied. */
export interface RecordingMp4 {
  /** Size of the whole file. */
  readonly bytes: number;
  /** Reads the content of the file from the storage. Each list of buffers is valid until the next one is requested. */
  readonly body: (signal: AbortSignal) => AsyncGenerator<readonly Buffer[]>;
}

/**
 * Plans one seekable MP4 of the segments of the source, with its index first. Only the heads (`moof`) of the parts are
 * read, and nothing is encoded. After an interruption, video and audio continue at the same time.
 * @param storedSegments in recording order
 * @param hasAddedAudio whether the audio began as added silence. If all of it is silent, the MP4 has no audio track.
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
  const segments = await selectLongestCoding(storedSegments, (segment) =>
    readInitCached(storage, sessionId, segment, inits),
  );
  let previousSegment: RenditionSegment | undefined;
  const keyOf = (segment: RenditionSegment) => recordingKey(sessionId, segmentPath(segment.folder, segment));
  const readHeads = ({ segment, bytes }: StoredSegment) => readSegmentHeads(storage, keyOf(segment), bytes);
  const isAudioLeftOut =
    hasAddedAudio && (await isSilentThroughout(readConcurrently(segments, readHeads), signal));
  const isWanted = ({ track }: { readonly track: number }) => !isAudioLeftOut || track !== AUDIO_TRACK;
  for await (const [{ segment, bytes }, heads] of readConcurrently(segments, readHeads)) {
    signal.throwIfAborted();
    if (!previousSegment || !isContinuous(previousSegment, segment))
      builder.startPeriod((await readInitCached(storage, sessionId, segment, inits)).filter(isWanted));
    previousSegment = segment;
    const slices = heads.flatMap(({ offset, tracks }) => {
      const wantedTracks = tracks.filter(isWanted);
      return wantedTracks.length === 0
        ? []
        : builder.addPart(wantedTracks).map((slice) => shiftSlice(slice, offset));
    });
    copies.push({ key: keyOf(segment), bytes, slices });
  }
  const header = builder.header();
  return {
    bytes: header.length + builder.mediaBytes,
    body: (bodySignal) => readBody(storage, header, copies, bodySignal),
  };
}

/**
 * Selects the segments whose video has the codec (sample entry type) with the longest total duration, and segments
 * without video: players decode a track of an MP4 with one decoder. The playlists list all segments.
 */
async function selectLongestCoding(
  segments: readonly StoredSegment[],
  readInitOf: (segment: RenditionSegment) => Promise<readonly InitTrack[]>,
): Promise<readonly StoredSegment[]> {
  const durationMsByType = new Map<string, number>();
  const segmentsWithEntryType: [StoredSegment, string | undefined][] = [];
  for (const storedSegment of segments) {
    const video = (await readInitOf(storedSegment.segment)).find(({ handler }) => handler === 'vide');
    const type = video && readEntryType(video.entry);
    segmentsWithEntryType.push([storedSegment, type]);
    if (type)
      durationMsByType.set(type, (durationMsByType.get(type) ?? 0) + storedSegment.segment.durationMs);
  }
  const [longestType] = [...durationMsByType].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return segmentsWithEntryType.flatMap(([storedSegment, type]) =>
    type === undefined || type === longestType ? [storedSegment] : [],
  );
}

const silentFrameBytes: ReadonlySet<number> = new Set([...SILENT_UNITS.values()].map(({ length }) => length));

/** Whether every audio frame has the size of an encoded silent frame. Only sizes are known without reading the media. */
async function isSilentThroughout(
  segments: AsyncIterable<[StoredSegment, readonly PartHead[]]>,
  signal: AbortSignal,
): Promise<boolean> {
  for await (const [, heads] of segments) {
    signal.throwIfAborted();
    const audio = heads.flatMap(({ tracks }) => tracks.filter(({ track }) => track === AUDIO_TRACK));
    if (audio.some(({ sizes }) => sizes.some((size) => !silentFrameBytes.has(size)))) return false;
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

function readSegmentHeads(storage: Storage, key: string, bytes: number): Promise<PartHead[]> {
  return storage.withFile(key, async (path) => {
    const file = await open(path, 'r');
    try {
      return await readPartHeads(file, bytes);
    } finally {
      await file.close();
    }
  });
}

async function readInitCached(
  storage: Storage,
  sessionId: string,
  { folder, period }: RenditionSegment,
  initCache: Map<string, readonly InitTrack[]>,
): Promise<readonly InitTrack[]> {
  const key = recordingKey(sessionId, initPath(folder, period));
  const init = initCache.get(key) ?? readInit(await storage.withFile(key, (path) => readFile(path)));
  initCache.set(key, init);
  return init;
}

/** A slice of a part as a slice of the segment file, in which the part begins at `partOffset`. */
function shiftSlice(slice: MediaSlice, partOffset: number): MediaSlice {
  return 'offset' in slice ? { offset: slice.offset + partOffset, length: slice.length } : slice;
}
