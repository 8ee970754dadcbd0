import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withDisplayMatrix } from '@/media-worker/media/cmaf/display-matrix';
import { AUDIO_TRACK, VIDEO_TRACK } from '@/media-worker/media/cmaf/init-segment';
import { Mp4Builder } from '@/media-worker/media/cmaf/mp4-builder';
import { readInit } from '@/media-worker/media/cmaf/read-init';
import type { PartTrack } from '@/media-worker/media/cmaf/read-part';
import { buildIndexedInit } from './indexed-hls';
import { type IndexedFile, openPieces, samplesOf, timedTracks } from './open-segment';
import { type TrackStarts, startOf, startsOf } from './presentation-start';
import { type MediaRange, findRangeSpans, audioFormatOf } from './range-spans';
import { type TrackSpans, splitIntoParts } from './segment-parts';
import type { StoredPeriod, StoredSegment } from './stored-index';
import { type SegmentLines, readLines } from './stored-lines';

/** Seconds from the start of the asset. */
interface AssetRange {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Tolerance for times: the times of segments are sums of rounded durations. */
const ROUNDING_SECONDS = 0.001;

/**
 * Writes the part of an asset that contains a range to an MP4 with its index first: from the last keyframe before its
 * start to its last frame. Nothing else of the asset's file is read.
 * @returns seconds from the start of the MP4 to the start of the range; null if only the asset's file shows the range
 * exactly
 * @throws IndexError, MovieError, StorageError
 */
export async function writeRange(
  indexedFile: IndexedFile,
  range: AssetRange,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<number | null> {
  const cut = await findCut(indexedFile, range);
  if (!cut) return null;
  const { period, segments } = cut;
  const builder = new Mp4Builder();
  builder.startPeriod(readInit(buildIndexedInit(period)));
  for (const segment of segments)
    for (const part of partsIn(period, segment)) builder.addPart(tablesOf(segment.lines, part));
  const header = builder.header();
  const matrix = period.video?.matrix;
  const body = createBody(indexedFile, cut, matrix ? withDisplayMatrix(header, matrix) : header);
  await pipeline(Readable.from(body, { objectMode: false }), createWriteStream(path), { signal });
  return cut.offsetSeconds;
}

/** The samples of a range in one segment. */
interface SegmentCut {
  readonly lines: SegmentLines;
  readonly spans: TrackSpans;
}

/** The samples of a range, all in one period. */
interface RangeCut {
  readonly period: StoredPeriod;
  readonly segments: readonly SegmentCut[];
  /** Seconds from the first sample to the start of the range. */
  readonly offsetSeconds: number;
}

/** @returns null if the range is in several periods, or starts without a keyframe or in a held frame */
async function findCut({ index, head }: IndexedFile, assetRange: AssetRange): Promise<RangeCut | null> {
  const [firstSegment] = head.segments;
  if (!firstSegment) return null;
  const starts = startsOf(await readLines(index, firstSegment), head.periods[firstSegment.period]);
  const mediaStartSeconds = startOf(starts);
  const range = mediaRangeOf(assetRange, starts, head.periods[firstSegment.period]);
  if (!range) return null;
  const startsBefore = (mediaSeconds: number) => (segment: StoredSegment) =>
    mediaStartSeconds + segment.startSeconds < mediaSeconds;
  const isInTime = startsBefore(range.startSeconds + ROUNDING_SECONDS);
  const startSegment = head.segments.findLastIndex((segment) => segment.independent && isInTime(segment));
  const lastSegment = head.segments.findLastIndex(startsBefore(range.endSeconds - ROUNDING_SECONDS));
  const periodIndex = head.segments[startSegment]?.period;
  const period = head.periods[periodIndex ?? -1];
  if (!period || head.segments[lastSegment]?.period !== periodIndex) return null;
  // The audio frame at the start of a segment began in the previous segment.
  const hasPrevious = head.segments[startSegment - 1]?.period === periodIndex;
  const firstReadSegment = hasPrevious ? startSegment - 1 : startSegment;
  const lines = await readSegmentLines(index, head.segments.slice(firstReadSegment, lastSegment + 1));
  const cut = findRangeSpans(lines, period, range);
  if (!cut) return null;
  const segments = lines.flatMap((segmentLines, segmentIndex) => {
    const spans = cut.spans[segmentIndex];
    return spans ? [{ lines: segmentLines, spans }] : [];
  });
  return { period, segments, offsetSeconds: range.startSeconds - cut.startSeconds };
}

/**
 * Converts a range to media time. Audio in the index may start up to a frame before the asset, so the first video frame is
 * its start.
 * @returns null if video starts later than audio
 */
function mediaRangeOf(
  { startSeconds, endSeconds }: AssetRange,
  { video, audio }: TrackStarts,
  period: StoredPeriod | undefined,
): MediaRange | null {
  if (!period) return null;
  if (!period.video) return { startSeconds: audio + startSeconds, endSeconds: audio + endSeconds };
  if (video - audio > audioFormatOf(period).frameSeconds + ROUNDING_SECONDS) return null;
  return { startSeconds: video + startSeconds, endSeconds: video + endSeconds };
}

/** The lines of consecutive segments, with one read. */
async function readSegmentLines(
  index: IndexedFile['index'],
  segments: readonly StoredSegment[],
): Promise<SegmentLines[]> {
  const linesStart = segments[0]?.linesAt ?? 0;
  const block = await index.read(
    linesStart,
    segments.reduce((sum, { linesBytes }) => sum + linesBytes, 0),
  );
  const source = {
    size: index.size,
    read: (offset: number, length: number) =>
      Promise.resolve(block.subarray(offset - linesStart, offset - linesStart + length)),
  };
  return Promise.all(segments.map((segment) => readLines(source, segment)));
}

/** The samples of a range in one segment, split into parts as in a fragmented MP4. */
const partsIn = (period: StoredPeriod, { lines, spans }: SegmentCut): TrackSpans[] =>
  splitIntoParts(timedTracks(period, lines), spans);

/** The samples of a part, for the tables of the MP4. */
function tablesOf(lines: SegmentLines, { video, audio }: TrackSpans): PartTrack[] {
  const tracks = [
    { track: VIDEO_TRACK, content: samplesOf(lines.video, video) },
    { track: AUDIO_TRACK, content: samplesOf(lines.audio, audio) },
  ];
  return tracks.flatMap(({ track, content }) => {
    if (!content) return [];
    const { start, samples } = content;
    return {
      track,
      start,
      durations: samples.map(({ duration }) => duration),
      sizes: samples.map(({ data }) => data.length),
      compositionOffsets: samples.map(({ compositionOffset }) => compositionOffset),
      keys: samples.map(({ key }) => key),
      offset: 0,
    };
  });
}

/** Yields the header and then the media, in the order in which the builder got the parts. */
async function* createBody(
  indexedFile: IndexedFile,
  { period, segments }: RangeCut,
  header: Buffer,
): AsyncGenerator<Buffer> {
  yield header;
  for (const segment of segments) {
    const parts = partsIn(period, segment).map(({ video, audio }) =>
      [samplesOf(segment.lines.video, video), samplesOf(segment.lines.audio, audio)].flatMap(
        (content) => content?.samples.map(({ data }) => data) ?? [],
      ),
    );
    yield* openPieces(indexedFile, parts).body();
  }
}
