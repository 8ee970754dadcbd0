import { type RecordedSegment, compareSegments, formatSegmentName, sourceFolder } from './recorded-segment';

/** The stored segments of one rendition. */
export interface RecordedRendition {
  readonly folder: string;
  readonly segments: readonly RecordedSegment[];
}

/** A segment with the folder of its rendition. */
export interface RenditionSegment extends RecordedSegment {
  readonly folder: string;
}

/** The segments of all renditions at one position of the recording. */
interface Row {
  readonly source: RenditionSegment;
  /** The segments of the other renditions. A rendition without a segment plays the segment of the source. */
  readonly segmentsByFolder: ReadonlyMap<string, RenditionSegment>;
  /**
   * Whether any rendition has a discontinuity before this row. Players require discontinuities to match in all renditions.
   */
  readonly discontinuity: boolean;
}

/** A time without recorded media; start and end in Unix milliseconds. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

export interface RecordingTimeline {
  readonly rows: readonly Row[];
  /** Folders of the offered renditions, the source first. */
  readonly folders: readonly string[];
  readonly gaps: readonly Gap[];
}

/** Maximum difference between the start of a segment and of the segment of the source: a frame at a low frame rate. */
const ALIGNMENT_TOLERANCE_MS = 100;
/** A rendition that covers less than this fraction of the source is left out. */
const MIN_COVERED_FRACTION = 0.5;
/** A longer difference of wall-clock times is a gap; a shorter one is arrival jitter. */
const MIN_GAP_MS = 300;

/**
 * Creates one timeline from all stored segments. It has the segments of the source; a rendition plays the source where its
 * own segments are missing because its transcoder failed.
 */
export function createRecordingTimeline(renditions: readonly RecordedRendition[]): RecordingTimeline {
  const source = segmentsOf(renditions.find(({ folder }) => folder === sourceFolder));
  const sourceDurationMs = durationOf(source);
  const otherRenditions = renditions
    .filter(({ folder }) => folder !== sourceFolder)
    .map((rendition) => ({
      folder: rendition.folder,
      segmentsBySource: alignSegments(source, segmentsOf(rendition)),
    }))
    .filter(
      ({ segmentsBySource }) =>
        durationOf([...segmentsBySource.values()]) >= MIN_COVERED_FRACTION * sourceDurationMs &&
        sourceDurationMs > 0,
    )
    .sort((a, b) => (a.folder < b.folder ? -1 : 1));
  const rows: Row[] = [];
  for (const segment of source) {
    const segmentsByFolder = new Map<string, RenditionSegment>();
    for (const { folder, segmentsBySource } of otherRenditions) {
      const alignedSegment = segmentsBySource.get(segment);
      if (alignedSegment) segmentsByFolder.set(folder, alignedSegment);
    }
    const previousRow = rows.at(-1);
    rows.push({
      source: segment,
      segmentsByFolder,
      discontinuity:
        previousRow !== undefined && hasDiscontinuity(previousRow, { source: segment, segmentsByFolder }),
    });
  }
  return {
    rows,
    folders: [sourceFolder, ...otherRenditions.map(({ folder }) => folder)],
    gaps: findGaps(source),
  };
}

/** The segment that the rendition in `folder` plays in this row. */
export function playedSegment(
  row: Pick<Row, 'source' | 'segmentsByFolder'>,
  folder: string,
): RenditionSegment {
  return row.segmentsByFolder.get(folder) ?? row.source;
}

/** Whether a segment follows another segment without a discontinuity. */
export function isContinuous(before: RenditionSegment, after: RenditionSegment): boolean {
  return before.folder === after.folder && before.period === after.period && after.msn === before.msn + 1;
}

function hasDiscontinuity(
  before: Pick<Row, 'source' | 'segmentsByFolder'>,
  after: Pick<Row, 'source' | 'segmentsByFolder'>,
): boolean {
  const folders = [
    sourceFolder,
    ...new Set([...before.segmentsByFolder.keys(), ...after.segmentsByFolder.keys()]),
  ];
  return folders.some((folder) => !isContinuous(playedSegment(before, folder), playedSegment(after, folder)));
}

function segmentsOf(rendition: RecordedRendition | undefined): RenditionSegment[] {
  if (!rendition) return [];
  const { folder, segments } = rendition;
  return segments.toSorted(compareSegments).map((segment) => ({ ...segment, folder }));
}

/** Maps segments of the source to the segments of a rendition that start at the same time in the same publish. */
function alignSegments(
  source: readonly RenditionSegment[],
  segments: readonly RenditionSegment[],
): Map<RenditionSegment, RenditionSegment> {
  const alignedSegments = new Map<RenditionSegment, RenditionSegment>();
  // Both lists are sorted, so each segment of the rendition is visited once.
  let nextIndex = 0;
  for (const segment of source) {
    for (; nextIndex < segments.length; nextIndex++) {
      const candidate = segments[nextIndex];
      if (!candidate) break;
      const distance =
        publishNumberOf(candidate) - publishNumberOf(segment) || candidate.startMs - segment.startMs;
      if (
        publishNumberOf(candidate) === publishNumberOf(segment) &&
        Math.abs(candidate.startMs - segment.startMs) <= ALIGNMENT_TOLERANCE_MS
      ) {
        alignedSegments.set(segment, candidate);
        nextIndex++;
        break;
      }
      if (distance > 0) break;
    }
  }
  return alignedSegments;
}

function findGaps(source: readonly RenditionSegment[]): Gap[] {
  const gaps: Gap[] = [];
  let endMs: number | undefined;
  for (const { wallClockMs, durationMs } of source) {
    if (endMs !== undefined && wallClockMs - endMs > MIN_GAP_MS)
      gaps.push({ from: Math.round(endMs), to: Math.round(wallClockMs) });
    endMs = wallClockMs + durationMs;
  }
  return gaps;
}

const publishNumberOf = ({ period }: RecordedSegment): number => Number.parseInt(period, 10);
const durationOf = (segments: readonly RecordedSegment[]): number =>
  segments.reduce((sum, { durationMs }) => sum + durationMs, 0);

/**
 * Formats the media playlist of one rendition of a recording, with all segments (RFC 8216 §4.3.3.5). URIs are relative to
 * the folder of the rendition; those with `..` are segments of the source, which replace missing ones.
 * @param ended whether the playlist has an end tag, because no more segments follow
 */
export function formatRecordingPlaylist(
  { rows }: RecordingTimeline,
  folder: string,
  { ended = true }: { readonly ended?: boolean } = {},
): string {
  const segments = rows.map((row) => playedSegment(row, folder));
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.max(1, ...segments.map(({ durationMs }) => Math.round(durationMs / 1_000)))}`,
    `#EXT-X-PLAYLIST-TYPE:${ended ? 'VOD' : 'EVENT'}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
  ];
  if (segments.every(({ independent }) => independent)) lines.push('#EXT-X-INDEPENDENT-SEGMENTS');
  let previousInitPath = '';
  rows.forEach((row, index) => {
    const segment = playedSegment(row, folder);
    const initPath = `${pathTo(segment, folder)}init-${segment.period}.mp4`;
    if (row.discontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (previousInitPath !== initPath) lines.push(`#EXT-X-MAP:URI="${initPath}"`);
    previousInitPath = initPath;
    // All renditions have the wall-clock times of the source, by which players find the same position in another
    // rendition.
    if (row.discontinuity || index === 0)
      lines.push(`#EXT-X-PROGRAM-DATE-TIME:${formatIsoTime(row.source.wallClockMs)}`);
    lines.push(
      `#EXTINF:${(segment.durationMs / 1_000).toFixed(6)},`,
      `${pathTo(segment, folder)}${formatSegmentName(segment)}`,
    );
  });
  if (ended) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}

function pathTo(segment: RenditionSegment, folder: string): string {
  return segment.folder === folder ? '' : `../${segment.folder}/`;
}

const formatIsoTime = (ms: number): string => new Date(ms).toISOString();
