import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VodRendition } from '@/lib/core/renditions/vod-ladder';
import { newId } from '@/lib/infra/ids';
import type { StorageDriver } from '@/lib/infra/storage';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';
import { buildMediaPart } from '@/media-worker/media/cmaf/media-part';
import { readInit } from '@/media-worker/media/cmaf/read-init';
import { readSegment, type SegmentTrack } from '@/media-worker/media/cmaf/read-segment';
import { buildRenditionInit } from '@/media-worker/media/cmaf/rendition-init';
import {
  FramesDifferError,
  lastGop,
  hasLeadingFrames,
  buildRenditionSegment,
  presentationRangeOf,
  type EncodedFrame,
} from '@/media-worker/media/cmaf/rendition-segment';
import type { VideoSample } from '@/media-worker/media/cmaf/media-part';
import { createOutputError, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { planSegment } from '@/media-worker/media/ffmpeg/segment-args';
import {
  periodOfFile,
  readSourceSegment,
  renditionForPeriod,
  type RenditionSource,
} from './rendition-source';

/**
 * Time without progress after which ffmpeg is killed. A busy machine may need long for one segment, but no player waits
 * longer than this.
 */
const STALL_MS = 30_000;

export interface SegmentEncodingOptions {
  readonly storage: Pick<StorageDriver, 'head' | 'read'>;
  readonly dataDir: string;
  readonly threads: number;
  readonly signal: AbortSignal;
}

export interface EncodedSegment {
  readonly init: Buffer;
  /** Buffers of `moof` and `mdat`. */
  readonly segment: readonly Buffer[];
}

/**
 * Encodes one segment of a rendition.
 * @param index index of the segment in the source's playlist
 * @param frames 1 to encode only the first frame, for the init segment; absent to encode the whole segment
 * @throws FfmpegFailed, FfmpegKilled, FramesDifferError, StorageError `full`; Error if the segment of the source is
 * missing or invalid
 */
export async function encodeSegment(
  options: SegmentEncodingOptions,
  source: RenditionSource,
  {
    rendition: listedRendition,
    index,
    frames,
  }: { readonly rendition: VodRendition; readonly index: number; readonly frames?: number },
): Promise<EncodedSegment> {
  const { signal, threads, storage, dataDir } = options;
  const { uri = '', seconds = 0 } = source.playlist.segments[index] ?? {};
  const period = periodOfFile(source, uri);
  const { timescale } = period;
  const rendition = renditionForPeriod(source, listedRendition, period);
  const sourceSegment = await readSourceSegment(storage, source, uri);
  if (!sourceSegment.video) throw new Error(`Segment ${uri} of the files ${source.filesId} has no video`);
  const folder = join(scratchFolder(dataDir), `rendition-${newId()}`);
  try {
    await mkdir(folder, { recursive: true });
    const [input, output] = [join(folder, 'source.mp4'), join(folder, 'encoded.mp4')];
    await writeFile(input, [
      period.init,
      ...(await createDecodableInput(options, source, sourceSegment.video, index)),
    ]);
    const shownRange = presentationRangeOf(sourceSegment.video);
    const encodedRange = frames === 1 ? { ...shownRange, toTicks: shownRange.fromTicks } : shownRange;
    const plan = planSegment({ input, output, rendition, timescale, threads, ...encodedRange });
    await runFfmpegJob(plan, { signal, durationSeconds: seconds, stallTimeoutMs: STALL_MS, nice: NICENESS });
    const encodedBytes = await readFile(output);
    const [track] = readInit(encodedBytes);
    const { video } = readSegment(encodedBytes, encodedBytes);
    if (!track || !video) throw await createOutputError(folder, 'no frame was encoded');
    const { width, height } = rendition;
    const init = buildRenditionInit(period.init, { entry: track.entry, width, height });
    return {
      init,
      segment: frames === 1 ? [] : buildRenditionSegment(sourceSegment, encodedFramesOf(video), track.entry),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Niceness: lower priority than live work, higher priority than background tasks. */
const NICENESS = 5;

/** Maximum number of earlier segments read, because several segments in a row may have no keyframe. */
const MAX_EARLIER_SEGMENTS = 3;

/**
 * The frames of a segment, after the frames that they refer to.
 * @throws FramesDifferError if there is no keyframe in the segment or shortly before it
 */
async function createDecodableInput(
  { storage }: SegmentEncodingOptions,
  source: RenditionSource,
  video: SegmentTrack<VideoSample>,
  index: number,
): Promise<Buffer[]> {
  const tracks = [video];
  const beginsWithKey = () => tracks[0]?.samples[0]?.key === true;
  const isDecodable = () => beginsWithKey() && (tracks.length > 1 || !hasLeadingFrames(video));
  for (
    let previousIndex = index - 1;
    previousIndex >= Math.max(0, index - MAX_EARLIER_SEGMENTS) && !isDecodable();
    previousIndex--
  ) {
    if (!source.playlist.segments[previousIndex + 1]?.isContinuous) break;
    const { uri = '' } = source.playlist.segments[previousIndex] ?? {};
    const previous = await readSourceSegment(storage, source, uri);
    if (!previous.video) break;
    tracks.unshift(lastGop(previous.video));
  }
  if (!beginsWithKey()) throw new FramesDifferError('there is no keyframe near it');
  return tracks.flatMap((track, position) => buildVideoPart(position + 1, track));
}

const buildVideoPart = (sequence: number, { start, samples }: SegmentTrack<VideoSample>): Buffer[] =>
  buildMediaPart({ sequence, video: { start, samples }, audio: undefined });

function encodedFramesOf({ start, samples }: SegmentTrack<VideoSample>): EncodedFrame[] {
  let dts = start;
  return samples.map(({ data, key, duration, compositionOffset }) => {
    dts += duration;
    return { data, key, time: dts - duration + compositionOffset };
  });
}
