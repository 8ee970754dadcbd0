import { parseAacConfig } from '@/media-worker/media/cmaf/aac-config';
import { VIDEO_TIMESCALE } from '@/media-worker/media/cmaf/init-segment';
import type { SampleList } from './sample-list';
import type { Span, TrackSpans } from './segment-parts';
import type { StoredPeriod } from './stored-index';
import type { SegmentLines } from './stored-lines';

/** Media times, seconds. */
export interface MediaRange {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** The samples of a range in consecutive segments of one period. */
interface RangeSpans {
  /** Samples of each segment, which may be none. */
  readonly spans: readonly TrackSpans[];
  /** Media time at which the first of them is presented, seconds. */
  readonly startSeconds: number;
}

/**
 * Number of audio frames that are included before a keyframe: a decoder needs the first one to decode the second one
 * completely.
 */
const AUDIO_FRAMES_AHEAD = 2;

/**
 * The samples that present a range: from the last keyframe before its start, in decode order, to the last frame that
 * is shown in it.
 * @returns null without such a keyframe, or if the keyframe is held and therefore repeated
 */
export function findRangeSpans(
  segments: readonly SegmentLines[],
  period: StoredPeriod,
  { startSeconds: rangeStart, endSeconds: rangeEnd }: MediaRange,
): RangeSpans | null {
  const keySample = period.video
    ? findKeyframeBefore(segments, rangeStart)
    : { segment: 0, sample: 0, shownAtSeconds: rangeStart };
  if (!keySample) return null;
  const audioFrames = audioFormatOf(period);
  const audioStartSeconds = keySample.shownAtSeconds - AUDIO_FRAMES_AHEAD * audioFrames.frameSeconds;
  let startSeconds = period.video ? keySample.shownAtSeconds : Infinity;
  const spans = segments.map(({ video, audio }, segment): TrackSpans => {
    const first =
      segment < keySample.segment ? video.count : segment === keySample.segment ? keySample.sample : 0;
    const audioSpan = findAudioFrames(
      audio,
      audioStartSeconds * audioFrames.timescale,
      rangeEnd * audioFrames.timescale,
    );
    if (audioSpan.end > audioSpan.first)
      startSeconds = Math.min(startSeconds, (audio.dts[audioSpan.first] ?? 0) / audioFrames.timescale);
    return { video: { first, end: findEndOfShown(video, first, rangeEnd) }, audio: audioSpan };
  });
  return Number.isFinite(startSeconds) ? { spans, startSeconds } : null;
}

/** Ticks per second of the audio, and seconds per frame. */
export function audioFormatOf({ audio }: StoredPeriod): {
  readonly timescale: number;
  readonly frameSeconds: number;
} {
  if (!audio) return { timescale: 1, frameSeconds: 0 };
  const { timescale, samplesPerFrame } = parseAacConfig(audio.record);
  return { timescale, frameSeconds: samplesPerFrame / timescale };
}

interface KeySample {
  readonly segment: number;
  readonly sample: number;
  /** Seconds. */
  readonly shownAtSeconds: number;
}

function findKeyframeBefore(segments: readonly SegmentLines[], seconds: number): KeySample | null {
  for (let segment = segments.length - 1; segment >= 0; segment--) {
    const list = segments[segment]?.video;
    for (let sample = (list?.count ?? 0) - 1; list && sample >= 0; sample--) {
      const shownAtSeconds = list.pts(sample) / VIDEO_TIMESCALE;
      if (list.key[sample] !== 1 || shownAtSeconds > seconds) continue;
      return isRepeated(list, sample) ? null : { segment, sample, shownAtSeconds };
    }
  }
  return null;
}

/** Whether a neighbouring sample has the same bytes: a held frame. */
const isRepeated = (list: SampleList, sample: number): boolean =>
  [sample - 1, sample + 1].some(
    (candidate) =>
      list.offset[candidate] === list.offset[sample] && list.entry[candidate] === list.entry[sample],
  );

/** End of the samples, in decode order, that are shown before a time. */
function findEndOfShown(list: SampleList, first: number, endSeconds: number): number {
  let end = list.count;
  while (end > first && list.pts(end - 1) >= endSeconds * VIDEO_TIMESCALE) end -= 1;
  return end;
}

function findAudioFrames({ count, dts }: SampleList, startTicks: number, endTicks: number): Span {
  let first = 0;
  while (first < count && (dts[first] ?? 0) < startTicks) first += 1;
  let end = first;
  while (end < count && (dts[end] ?? 0) < endTicks) end += 1;
  return { first, end };
}
