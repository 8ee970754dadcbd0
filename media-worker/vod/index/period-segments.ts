import { findSegmentCuts } from '@/lib/core/media/segment-cuts';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import type { VideoLayout } from './lay-out-video';
import { MAX_REORDERED } from './reordering';
import type { AudioLayout } from './lay-out-audio';
import { type SegmentBounds, type SegmentSpan, segmentSpans } from './segment-spans';

/** The tracks played in one period. */
export interface LaidOutPeriod {
  readonly video: Pick<VideoLayout, 'samples'> | undefined;
  readonly audio: Pick<AudioLayout, 'samples' | 'config'> | undefined;
}

/** Cuts segments at the segment starts of the video, or every six seconds in a period without video. */
export function periodSegments(
  { video, audio: audioLayout }: LaidOutPeriod,
  bounds: SegmentBounds,
): SegmentSpan[] {
  const audio = audioLayout && { samples: audioLayout.samples, timescale: audioLayout.config.timescale };
  if (!video) {
    const cuts = findSegmentCuts({
      count: audio?.samples.count ?? 0,
      shownAtSeconds: (frame) => (audio?.samples.dts[frame] ?? 0) / (audio?.timescale ?? 1),
      isKeyframe: () => true,
    });
    return segmentSpans(cuts, { audio }, bounds);
  }
  const { samples } = video;
  const cuts = findSegmentCuts({
    count: samples.count,
    shownAtSeconds: (frame) => samples.pts(frame) / VIDEO_TIMESCALE,
    isKeyframe: (frame) => samples.key[frame] === 1,
  });
  return segmentSpans(cuts, { video: { samples, timescale: VIDEO_TIMESCALE }, audio }, bounds);
}

/** Start of a period, which is that of its first segment; seconds. */
export function startOfPeriod({ video, audio }: LaidOutPeriod): number {
  if (!video) return (audio?.samples.dts[0] ?? 0) / (audio?.config.timescale ?? 1);
  const { samples } = video;
  let first = Infinity;
  for (let frame = 0; frame < Math.min(MAX_REORDERED, samples.count); frame++)
    first = Math.min(first, samples.pts(frame));
  return first / VIDEO_TIMESCALE;
}
