import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VodRendition } from '@/lib/core/renditions/vod-ladder';
import { newId } from '@/lib/infra/ids';
import type { StorageDriver } from '@/lib/infra/storage';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';
import { mediaPart } from '@/media-worker/media/cmaf/media-part';
import { readInit } from '@/media-worker/media/cmaf/read-init';
import { readSegment, type SegmentTrack } from '@/media-worker/media/cmaf/read-segment';
import { renditionInit } from '@/media-worker/media/cmaf/rendition-init';
import {
  FramesDiffer,
  lastGop,
  needsPrevious,
  renditionSegment,
  shownBetween,
  type EncodedFrame,
} from '@/media-worker/media/cmaf/rendition-segment';
import type { VideoSample } from '@/media-worker/media/cmaf/media-part';
import { badOutput, runFfmpegJob } from '@/media-worker/media/ffmpeg/run-ffmpeg-job';
import { segmentPlan } from '@/media-worker/media/ffmpeg/segment-args';
import { periodAt, readSourceSegment, renditionIn, type RenditionSource } from './rendition-source';

/**
 * Time without progress after which ffmpeg is killed: no player waits longer, but a busy machine may need long for
 * one segment.
 */
const stallMs = 30_000;

export interface EncodingPlace {
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
 * @param frames maximum number of frames to encode; 1 is enough for the init segment
 * @throws FfmpegFailed, FfmpegKilled, FramesDiffer, StorageError `full`
 */
export async function encodeSegment(
  workplace: EncodingPlace,
  source: RenditionSource,
  {
    rendition: listed,
    index,
    frames,
  }: { readonly rendition: VodRendition; readonly index: number; readonly frames?: number },
): Promise<EncodedSegment> {
  const { signal, threads, storage, dataDir } = workplace;
  const { uri = '', seconds = 0 } = source.playlist.segments[index] ?? {};
  const period = periodAt(source, uri);
  const { timescale } = period;
  const rendition = renditionIn(source, listed, period);
  const media = await readSourceSegment(storage, source, uri);
  if (!media.video) throw new Error(`Segment ${uri} of the files ${source.filesId} has no video`);
  const folder = join(scratchFolder(dataDir), `rendition-${newId()}`);
  try {
    await mkdir(folder, { recursive: true });
    const [input, output] = [join(folder, 'source.mp4'), join(folder, 'encoded.mp4')];
    await writeFile(input, [period.init, ...(await decodable(workplace, source, media.video, index))]);
    const shownRange = shownBetween(media.video);
    const bounds = frames === 1 ? { from: shownRange.from, to: shownRange.from } : shownRange;
    const plan = segmentPlan({ input, output, rendition, timescale, threads, ...bounds });
    await runFfmpegJob(plan, { signal, duration: seconds, stallMs, nice: niceness });
    const encodedBytes = await readFile(output);
    const [track] = readInit(encodedBytes);
    const { video } = readSegment(encodedBytes, encodedBytes);
    if (!track || !video) throw await badOutput(folder, 'no frame was encoded');
    const { width, height } = rendition;
    const init = renditionInit(period.init, { entry: track.entry, width, height });
    return { init, segment: frames === 1 ? [] : renditionSegment(media, framesOf(video), track.entry) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Niceness: below live work, above background tasks. */
const niceness = 5;

/** Maximum number of earlier segments read, because several segments in a row may have no keyframe. */
const maxEarlierSegments = 3;

/** The frames of a segment, after the frames they refer to. @throws FramesDiffer if no keyframe is near */
async function decodable(
  { storage }: EncodingPlace,
  source: RenditionSource,
  video: SegmentTrack<VideoSample>,
  index: number,
): Promise<Buffer[]> {
  const tracks = [video];
  const beginsWithKey = () => tracks[0]?.samples[0]?.key === true;
  const isDecodable = () => beginsWithKey() && (tracks.length > 1 || !needsPrevious(video));
  for (
    let previousIndex = index - 1;
    previousIndex >= Math.max(0, index - maxEarlierSegments) && !isDecodable();
    previousIndex--
  ) {
    if (!source.playlist.segments[previousIndex + 1]?.continues) break;
    const { uri = '' } = source.playlist.segments[previousIndex] ?? {};
    const previous = await readSourceSegment(storage, source, uri);
    if (!previous.video) break;
    tracks.unshift(lastGop(previous.video));
  }
  if (!beginsWithKey()) throw new FramesDiffer('there is no keyframe near it');
  return tracks.flatMap((track, at) => videoPart(at + 1, track));
}

const videoPart = (sequence: number, { start, samples }: SegmentTrack<VideoSample>): Buffer[] =>
  mediaPart({ sequence, video: { start, samples }, audio: undefined });

function framesOf({ start, samples }: SegmentTrack<VideoSample>): EncodedFrame[] {
  let dts = start;
  return samples.map(({ data, key, duration, compositionOffset }) => {
    dts += duration;
    return { data, key, time: dts - duration + compositionOffset };
  });
}
