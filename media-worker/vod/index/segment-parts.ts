import { partHeadBytes } from '@/media-worker/media/cmaf/media-part';
import type { SampleList } from './sample-list';

/** Samples of one track, from `first` up to, not including, `end`. */
export interface Span {
  readonly first: number;
  readonly end: number;
}

export interface TimedSamples {
  readonly samples: SampleList;
  /** Ticks per second. */
  readonly timescale: number;
}

export interface TrackSpans {
  readonly video: Span;
  readonly audio: Span;
}

/** Maximum seconds of one track before the other: ffmpeg treats ten seconds as a clock jump and moves the audio. */
const partSeconds = 2;
/** Maximum bytes of a part, because a reader holds one part in memory. */
const partBytes = 512 * 1_024;

/** The parts of a segment, each with its own `moof` and two seconds of both tracks. */
export function partsOf(
  { video, audio }: { readonly video?: TimedSamples | undefined; readonly audio?: TimedSamples | undefined },
  spans: TrackSpans,
): TrackSpans[] {
  const leadSamples = spans.video.end > spans.video.first ? video : undefined;
  const parts: TrackSpans[] = [];
  let [at, audioAt] = [leadSamples ? spans.video.first : spans.audio.first, spans.audio.first];
  const end = leadSamples ? spans.video.end : spans.audio.end;
  while (at < end) {
    const next = leadSamples ? nextPart(leadSamples, at, end) : audio ? nextPart(audio, at, end) : end;
    const audioEnd =
      next === end || !audio || !leadSamples
        ? leadSamples
          ? spans.audio.end
          : next
        : firstFrom(audio, startOf(leadSamples, next), { first: audioAt, end: spans.audio.end });
    parts.push({
      video: leadSamples ? { first: at, end: next } : { first: 0, end: 0 },
      audio: { first: audioAt, end: audioEnd },
    });
    [at, audioAt] = [next, audioEnd];
  }
  return parts;
}

/** Decode time of a sample, seconds. */
const startOf = ({ samples, timescale }: TimedSamples, sample: number): number =>
  (samples.dts[sample] ?? 0) / timescale;

function nextPart({ samples, timescale }: TimedSamples, first: number, end: number): number {
  const until = (samples.dts[first] ?? 0) + partSeconds * timescale;
  let bytes = samples.size[first] ?? 0;
  let next = first + 1;
  for (; next < end && (samples.dts[next] ?? 0) < until && bytes < partBytes; next++)
    bytes += samples.size[next] ?? 0;
  return next;
}

/** The first audio frame that starts at or after a time. */
export function firstFrom(audio: TimedSamples, seconds: number, { first, end }: Span): number {
  let frame = first;
  while (frame < end && startOf(audio, frame) < seconds) frame += 1;
  return frame;
}

/** Header bytes of a segment with these parts. */
export const headBytesOf = (parts: readonly TrackSpans[]): number =>
  parts.reduce(
    (sum, { video, audio }) => sum + partHeadBytes(video.end - video.first, audio.end - audio.first),
    0,
  );
