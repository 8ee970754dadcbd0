import { configPeriods } from '@/lib/core/media/config-periods';
import type { PresentedRange } from '@/lib/core/media/presented-ranges';
import { NeedsConversion } from './needs-conversion';
import type { MovieTrack } from './read-movie';

/** A track, and the ranges of it that are presented. */
export interface PresentedTrack {
  readonly track: MovieTrack;
  readonly ranges: readonly PresentedRange[];
}

interface Bounds {
  /** Start of the part, seconds. */
  readonly from: number;
  readonly to: number;
}

/** A part of a movie in which each track has one configuration. */
export interface MoviePart {
  readonly video: PresentedTrack | undefined;
  readonly audio: PresentedTrack | undefined;
  readonly bounds: Bounds;
}

/**
 * Maximum number of parts; movies with more are encoded to one configuration, because players load an init segment for each
 * part.
 */
const MAX_PARTS = 200;

/** @throws NeedsConversion */
export function checkPartCount(count: number): void {
  if (count > MAX_PARTS) throw new NeedsConversion('its coding changes too often');
}

/**
 * Splits a movie where the configuration of a track changes.
 * @throws NeedsConversion if configurations change in a way that players do not support
 */
export function splitMovie(
  {
    video,
    audio,
  }: { readonly video: PresentedTrack | undefined; readonly audio: PresentedTrack | undefined },
  bounds: Bounds,
): MoviePart[] {
  const [videoRuns, audioRuns] = [video && findConfigRuns(video.track), audio && findConfigRuns(audio.track)];
  if ((videoRuns?.length ?? 1) === 1 && (audioRuns?.length ?? 1) === 1)
    return [{ video: withUsedEntry(video, videoRuns), audio: withUsedEntry(audio, audioRuns), bounds }];
  const withConfigs = (presented: PresentedTrack | undefined, runs: readonly ConfigRun[] | undefined) =>
    presented && runs && { ranges: presented.ranges, spans: runs, timescale: presented.track.timescale };
  const tracks = { video: withConfigs(video, videoRuns), audio: withConfigs(audio, audioRuns) };
  const periods = configPeriods(tracks, bounds, (seconds) => video && findKeyframeAfter(video, seconds));
  checkPartCount(periods.length);
  return periods.map(({ startSeconds, endSeconds, ...runsByTrack }) => {
    const part = (
      presented: PresentedTrack | undefined,
      runs: readonly ConfigRun[] | undefined,
      playedRun = runsByTrack.video,
    ) => {
      const run = playedRun && runs?.[playedRun.spanIndex];
      return presented && run && { track: trackOfRun(presented.track, run), ranges: playedRun.ranges };
    };
    return {
      video: part(video, videoRuns),
      audio: part(audio, audioRuns, runsByTrack.audio),
      bounds: { from: startSeconds, to: endSeconds },
    };
  });
}

/** The track with the only sample entry that its samples use, which may not be the first one. */
function withUsedEntry(
  presented: PresentedTrack | undefined,
  runs: readonly ConfigRun[] | undefined,
): PresentedTrack | undefined {
  const [run] = runs ?? [];
  return presented && run && { ...presented, track: trackOfRun(presented.track, run) };
}

/** Consecutive samples with the same configuration. */
interface ConfigRun {
  readonly first: number;
  readonly end: number;
  /** Presentation times in ticks of the track. */
  readonly fromTicks: number;
  readonly toTicks: number;
}

/**
 * Whether a track has several configurations. ffmpeg copies such tracks with the first one only.
 * @throws NeedsConversion
 */
export const hasSeveralConfigs = (track: MovieTrack): boolean => findConfigRuns(track).length > 1;

function findConfigRuns({ samples, entries }: MovieTrack): ConfigRun[] {
  const configs = entries.map((entry) => entries.findIndex((candidate) => isSameConfig(candidate, entry)));
  const configAt = (sample: number) => configs[samples.entry[sample] ?? 0] ?? -1;
  const starts = [0];
  for (let sample = 1; sample < samples.count; sample++) {
    if (configAt(sample) !== configAt(sample - 1)) starts.push(sample);
    checkPartCount(starts.length);
  }
  const usedEntries = starts.map((start) => entries[samples.entry[start] ?? 0]);
  if (usedEntries.some((entry) => !entry?.record || entry.coding !== usedEntries[0]?.coding))
    throw new NeedsConversion('its coding changes');
  const shownTimes = starts.map((first, index) =>
    shownTimesOf(samples, first, starts[index + 1] ?? samples.count),
  );
  return starts.map((first, index) => {
    const { from: fromTicks = 0, last = 0 } = shownTimes[index] ?? {};
    const toTicks = shownTimes[index + 1]?.from ?? Infinity;
    if (last >= toTicks)
      throw new NeedsConversion('its coding changes between frames that are shown in another order');
    return { first, end: starts[index + 1] ?? samples.count, fromTicks, toTicks };
  });
}

type Entry = MovieTrack['entries'][number];

function isSameConfig(entry: Entry, other: Entry): boolean {
  if (entry.type !== other.type || !entry.record || !other.record?.equals(entry.record)) return false;
  const [a, b] = [entry.pixelAspect, other.pixelAspect];
  return a?.num === b?.num && a?.den === b?.den;
}

function shownTimesOf(samples: MovieTrack['samples'], first: number, end: number) {
  let [from, last] = [Infinity, -Infinity];
  for (let sample = first; sample < end; sample++) {
    from = Math.min(from, samples.pts(sample));
    last = Math.max(last, samples.pts(sample));
  }
  return { from, last };
}

function trackOfRun(track: MovieTrack, { first, end }: ConfigRun): MovieTrack {
  const entry = track.entries[track.samples.entry[first] ?? 0];
  return { ...track, entries: entry ? [entry] : [], samples: track.samples.slice(first, end) };
}

/**
 * Finds the first entry of the keyframe table that is shown at or after a time of the presentation.
 * @returns the time at which it is shown, seconds
 */
function findKeyframeAfter({ track, ranges }: PresentedTrack, seconds: number): number | undefined {
  const { samples, timescale } = track;
  for (const { fromTicks, toTicks, startSeconds, durationSeconds } of ranges) {
    if (startSeconds + durationSeconds <= seconds) continue;
    for (let sample = 0; sample < samples.count; sample++) {
      const pts = samples.pts(sample);
      const shownAt = startSeconds + (pts - fromTicks) / timescale;
      if (samples.key[sample] === 1 && pts >= fromTicks && pts < toTicks && shownAt >= seconds)
        return shownAt;
    }
  }
  return undefined;
}
