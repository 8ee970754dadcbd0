import { clipRange } from '@/lib/core/media/config-periods';
import { type FrameRun, planFrames } from '@/lib/core/media/frame-plan';
import { planSparseGopEncoding } from '@/lib/core/media/sparse-gops';
import { CodecDataError, type VideoConfig, codingOf } from '@/media-worker/media/cmaf/codec-config';
import type { ByteSource } from './byte-source';
import { findIdr, codedSizeText } from './find-idr';
import { NeedsConversion } from './needs-conversion';
import type { MovieTrack } from './read-movie';
import type { SourceVideo } from './reencode';
import { type MoviePart, type PresentedTrack, checkPartCount } from './split-movie';

/** The frames of a video track to copy and to re-encode. */
export interface PlannedVideo {
  readonly video: SourceVideo;
  readonly plan: readonly FrameRun[];
  /** 1 for each frame at which decoding can begin. */
  readonly idr: Uint8Array;
  /** 1 for each frame that is listed as a keyframe: those of `idr`, and others where there is no IDR picture for long. */
  readonly keys: Uint8Array;
}

/** Maximum pixels of all frames that are re-encoded only to become keyframes. As keyframes, they take about 80 megabytes. */
const MAX_SPARSE_PIXELS = 2 ** 29;

/**
 * Plans which frames of a video track are copied and which are re-encoded.
 * @throws NeedsConversion if the configuration cannot be parsed, or the picture size changes
 */
export async function planVideo(
  source: ByteSource,
  { track, ranges }: PresentedTrack,
): Promise<PlannedVideo> {
  const { samples, timescale } = track;
  const config = parseTrackConfig(track);
  const { coding, nalLengthSize } = config;
  const { idr, keys, sizes } = await findIdr(source, samples, { coding, nalLengthSize, timescale });
  if (new Set([...sizes, codedSizeText(config)]).size > 1)
    throw new NeedsConversion('its picture size changes');
  const frames = {
    count: samples.count,
    pts: (frame: number) => samples.pts(frame),
    isIdr: (frame: number) => idr[frame] === 1,
    mediaEndTicks: Math.max(0, ...ranges.map(({ toTicks }) => toTicks)),
    timescale,
  };
  const copyPlan = planFrames(ranges, frames);
  const maxFrames = MAX_SPARSE_PIXELS / (config.codedWidth * config.codedHeight);
  // A sparse GOP has at most one frame a second; re-encoding makes each of its frames a keyframe. Re-encoded frames of other
  // codecs are split into parts of their own (`splitEncoded`), so their sparse GOPs are copied.
  const plan = coding === 'avc' ? planSparseGopEncoding(copyPlan, frames, maxFrames) : copyPlan;
  const isFullyReencoded = plan.every(({ kind }) => kind === 'encode');
  return { video: { source, samples, timescale, config, isFullyReencoded }, plan, idr, keys };
}

/**
 * Splits parts of HEVC and AV1 before and after re-encoded frames, which have another configuration than the frames of the
 * file (ADR 106).
 * @throws NeedsConversion as `planVideo`, or if there are too many parts
 */
export async function splitEncoded(source: ByteSource, parts: readonly MoviePart[]): Promise<MoviePart[]> {
  const splitParts: MoviePart[] = [];
  for (const part of parts) {
    const edges =
      part.video && parseTrackConfig(part.video.track).coding !== 'avc'
        ? await findEncodedEdges(source, part.video)
        : [];
    const starts = [part.bounds.from, ...edges];
    for (const [index, from] of starts.entries())
      splitParts.push(
        edges.length === 0 ? part : clipPart(part, { from, to: starts[index + 1] ?? part.bounds.to }),
      );
  }
  checkPartCount(splitParts.length);
  return splitParts;
}

/** Finds where re-encoded frames start or end, in seconds of the presentation. */
async function findEncodedEdges(source: ByteSource, presented: PresentedTrack): Promise<number[]> {
  const { plan } = await planVideo(source, presented);
  return plan.flatMap(({ kind, startSeconds }, index) => {
    const previousRun = plan[index - 1];
    return previousRun && (kind === 'encode' || previousRun.kind === 'encode') ? [startSeconds] : [];
  });
}

/** The part between two times; a track that presents nothing there is left out. */
function clipPart({ video, audio }: MoviePart, bounds: MoviePart['bounds']): MoviePart {
  const within = (presented: PresentedTrack | undefined) => {
    if (!presented) return undefined;
    const { track } = presented;
    const ranges = presented.ranges.flatMap((range) => clipRange(range, bounds, track.timescale));
    return ranges.length > 0 ? { track, ranges } : undefined;
  };
  return { video: within(video), audio: within(audio), bounds };
}

function parseTrackConfig({ entries }: MovieTrack): VideoConfig {
  try {
    // A track without a sample entry gets an empty record, which the parser rejects with a CodecDataError.
    const { coding = 'avc', record = Buffer.alloc(0) } = entries[0] ?? {};
    return codingOf(coding).parse(record);
  } catch (error) {
    if (error instanceof CodecDataError) throw new NeedsConversion(error.message);
    throw error;
  }
}
