import type { Cut } from '@/lib/core/media/segment-cuts';
import { MAX_REORDERED } from './reordering';
import {
  type Span,
  type TimedSamples,
  type TrackSpans,
  findFirstFrom,
  headBytesOf,
  splitIntoParts,
} from './segment-parts';

/** One segment of the playlist. */
export interface SegmentSpan extends TrackSpans {
  /** Start from the start of the asset, and duration. */
  readonly startSeconds: number;
  readonly seconds: number;
  readonly independent: boolean;
  /** Bytes of the whole segment. */
  readonly bytes: number;
}

interface Tracks {
  readonly video?: TimedSamples | undefined;
  readonly audio?: TimedSamples | undefined;
}

/** Start and end of a period; if one is undefined, the first or last segment starts or ends with its media. */
export interface SegmentBounds {
  readonly startSeconds: number | undefined;
  readonly endSeconds: number | undefined;
}

/** The segments between cuts; each ends at the start of the next. */
export function segmentSpans(cuts: readonly Cut[], tracks: Tracks, bounds: SegmentBounds): SegmentSpan[] {
  const { video, audio } = tracks;
  const periodEnd = bounds.endSeconds ?? Math.max(endSecondsOf(video), endSecondsOf(audio));
  const periodStart = bounds.startSeconds ?? Math.min(cuts[0]?.startSeconds ?? 0, startSecondsOf(audio));
  let audioFirst = 0;
  return cuts.map(({ frame, independent, startSeconds: cutSeconds }, index) => {
    const segmentStart = index === 0 ? periodStart : cutSeconds;
    const next = cuts[index + 1];
    const segmentEnd = next?.startSeconds ?? periodEnd;
    const videoSpan = video
      ? { first: frame, end: next?.frame ?? video.samples.count }
      : { first: 0, end: 0 };
    const remainingAudio = { first: audioFirst, end: audio?.samples.count ?? 0 };
    const audioEnd =
      audio && next ? findFirstFrom(audio, next.startSeconds, remainingAudio) : remainingAudio.end;
    const audioSpan = { first: audioFirst, end: audioEnd };
    audioFirst = audioEnd;
    const parts = splitIntoParts(tracks, { video: videoSpan, audio: audioSpan });
    const bytes = headBytesOf(parts) + bytesIn(video, videoSpan) + bytesIn(audio, audioSpan);
    const times = { startSeconds: segmentStart, seconds: segmentEnd - segmentStart };
    return { video: videoSpan, audio: audioSpan, ...times, independent, bytes };
  });
}

/**
 * Start of the audio, seconds; Infinity without audio. The first segment starts with the first audio frame, which
 * decoders need to decode the next one completely.
 */
const startSecondsOf = (audio: TimedSamples | undefined): number =>
  audio && audio.samples.count > 0 ? (audio.samples.dts[0] ?? 0) / audio.timescale : Infinity;

function endSecondsOf(track: TimedSamples | undefined): number {
  if (!track) return 0;
  const { samples, timescale } = track;
  let end = 0;
  for (let sample = Math.max(0, samples.count - MAX_REORDERED); sample < samples.count; sample++)
    end = Math.max(end, samples.pts(sample) + (samples.duration[sample] ?? 0));
  return end / timescale;
}

function bytesIn(track: TimedSamples | undefined, { first, end }: Span): number {
  let bytes = 0;
  for (let sample = first; sample < end; sample++) bytes += track?.samples.size[sample] ?? 0;
  return bytes;
}
