import { clipRange } from '@/lib/core/media/config-periods';
import { type FrameRun, planFrames } from '@/lib/core/media/frame-plan';
import { encodeSparseGops } from '@/lib/core/media/sparse-gops';
import { CodecDataError, type VideoConfig, codingOf } from '@/media-worker/media/cmaf/codec-config';
import type { ByteSource } from './byte-source';
import { findIdr, codedSizeText } from './find-idr';
import { NeedsConversion } from './needs-conversion';
import type { MovieTrack } from './read-movie';
import type { SourceVideo } from './reencode';
import { type MoviePart, type PresentedTrack, checkPartCount } from './split-movie';

/** The frames of a video track to copy and to encode; see `findIdr` for `idr` and `keys`. */
export interface PlannedVideo {
  readonly video: SourceVideo;
  readonly plan: readonly FrameRun[];
  readonly idr: Uint8Array;
  readonly keys: Uint8Array;
}

/** Maximum pixels of all frames that are encoded only to become keyframes. As keyframes, 2^26 pixels take about ten megabytes. */
const MAX_SPARSE_PIXELS = 2 ** 29;

/**
 * Plans which frames of a video track are copied and which are encoded.
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
  // Encoded frames of other codecs need a period of their own.
  const plan = coding === 'avc' ? encodeSparseGops(copyPlan, frames, maxFrames) : copyPlan;
  const isEncoded = plan.every(({ kind }) => kind === 'encode');
  return { video: { source, samples, timescale, config, isEncoded }, plan, idr, keys };
}

/**
 * Splits parts of HEVC and AV1 before and after encoded frames, which have another configuration than the frames of the
 * file (ADR 106).
 * @throws NeedsConversion
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

/** Finds where encoded frames start or end, in seconds of the presentation. */
async function findEncodedEdges(source: ByteSource, presented: PresentedTrack): Promise<number[]> {
  const { plan } = await planVideo(source, presented);
  return plan.flatMap(({ kind, startSeconds }, index) => {
    const previousPart = plan[index - 1];
    return previousPart && (kind === 'encode' || previousPart.kind === 'encode') ? [startSeconds] : [];
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
    const { coding = 'avc', record = Buffer.alloc(0) } = entries[0] ?? {};
    return codingOf(coding).parse(record);
  } catch (error) {
    if (error instanceof CodecDataError) throw new NeedsConversion(error.message);
    throw error;
  }
}
