import { AUDIO_TRACK, VIDEO_TIMESCALE, VIDEO_TRACK } from '@/media-worker/media/cmaf/init-segment';
import { readMoof } from '@/media-worker/media/cmaf/read-part';
import type { WindowSegment } from '@/media-worker/media/packaging/window-segment';

/** A sample as players decode it: decode time and duration, ms. */
export interface SampleTime {
  readonly ms: number;
  readonly durationMs: number;
  readonly key: boolean;
}

interface TrackTimes {
  readonly video: SampleTime[];
  readonly audio: SampleTime[];
}

/** Every sample of the segments, parsed from their bytes. */
export function trackTimes(segments: readonly WindowSegment[]): TrackTimes {
  const parts = segments.flatMap((segment) =>
    segment.parts.map((_part, index) => timesOfPart(segment, index)),
  );
  return { video: parts.flatMap(({ video }) => video), audio: parts.flatMap(({ audio }) => audio) };
}

/** Every sample of one part, parsed from its bytes. */
export function timesOfPart({ parts, period }: WindowSegment, partIndex: number): TrackTimes {
  const times: TrackTimes = { video: [], audio: [] };
  for (const { track, start, durations, keys } of readMoof(Buffer.concat(parts[partIndex]?.data ?? []))) {
    const isVideo = track === VIDEO_TRACK;
    if (!isVideo && track !== AUDIO_TRACK) continue;
    const scale = isVideo ? VIDEO_TIMESCALE : (period.tracks.audio?.timescale ?? 1);
    let startTicks = start;
    durations.forEach((duration, n) => {
      const sample = {
        ms: (startTicks * 1_000) / scale,
        durationMs: (duration * 1_000) / scale,
        key: keys[n] ?? true,
      };
      times[isVideo ? 'video' : 'audio'].push(sample);
      startTicks += duration;
    });
  }
  return times;
}

/** The longest gap of a track, ms. */
export function longestGap(samples: readonly SampleTime[]): number {
  let [longestGapMs, endMs] = [0, samples[0]?.ms ?? 0];
  for (const { ms, durationMs } of samples) {
    longestGapMs = Math.max(longestGapMs, ms - endMs);
    endMs = Math.max(endMs, ms + durationMs);
  }
  return longestGapMs;
}

/** The smallest step between two samples, ms: positive when times increase strictly. */
export function smallestStep(samples: readonly SampleTime[]): number {
  return Math.min(Infinity, ...samples.slice(1).map(({ ms }, n) => ms - (samples[n]?.ms ?? 0)));
}
