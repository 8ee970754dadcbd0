import type { FieldIssue } from '@/lib/core/errors';
import { MINUTE_MS, HOUR_MS } from '@/lib/core/units';
import { type RenditionSegment, isContinuous } from './recording-timeline';

/** Time span of a clip in milliseconds: Unix time for a recording, or time from the beginning of an asset. */
export interface ClipRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Limits of clips made by members of a team. */
export const clipLimits = {
  minDurationMs: 1_000,
  maxDurationMs: HOUR_MS,
  /** Maximum number of clips of one team that are being made. */
  maxRunning: 5,
  /** How far in the future a clip of a live stream may end, in milliseconds, because clocks differ. */
  maxAheadMs: 60_000,
};

/** Limits of clips made by viewers. */
export const viewerClipLimits = {
  maxDurationMs: 60_000,
  /** Maximum number of clips of viewers that are being made, so that members of the team can still make clips. */
  maxRunning: 3,
  /** Maximum number of clips by viewers, per stream and per team in a day. */
  maxPerStream: 100,
  maxPerTeam: 500,
};

/** Time span from which clips can be made. In a session in progress, `endMs` is the current time. */
interface ClippableRange extends ClipRange {
  readonly live: boolean;
}

/**
 * Resolves the range of a clip request. Without an end time, the clip ends at the end of the available media.
 * @param maxDurationMs maximum duration of a clip in milliseconds
 * @returns the range, or the requirement that a field violates
 */
export function resolveClipRange(
  { startTime, endTime }: { readonly startTime: number; readonly endTime?: number | undefined },
  available: ClippableRange,
  maxDurationMs = clipLimits.maxDurationMs,
): ClipRange | FieldIssue {
  const range = { startMs: startTime, endMs: endTime ?? available.endMs };
  const { minDurationMs, maxAheadMs } = clipLimits;
  if (startTime >= available.endMs)
    return { field: 'startTime', message: 'is after the end of what can be clipped' };
  if (range.endMs <= range.startMs) return { field: 'endTime', message: 'must be after startTime' };
  if (range.endMs <= available.startMs)
    return { field: 'endTime', message: 'is before the beginning of what can be clipped' };
  if (available.live && range.endMs > available.endMs + maxAheadMs)
    return { field: 'endTime', message: 'is in the future' };
  if (range.endMs - range.startMs < minDurationMs)
    return { field: 'endTime', message: `a clip lasts at least ${minDurationMs / 1_000} second` };
  if (range.endMs - range.startMs > maxDurationMs) {
    const requiredText = endTime === undefined ? 'is required: ' : '';
    const limitText =
      maxDurationMs > MINUTE_MS ? `${maxDurationMs / MINUTE_MS} minutes` : `${maxDurationMs / 1_000} seconds`;
    return { field: 'endTime', message: `${requiredText}a clip lasts at most ${limitText}` };
  }
  return range;
}

/** The segments of a recording that contain a clip, and the position of the clip in them. */
export interface ClipSegments {
  /** Segments in recording order. The first one starts with a keyframe, if the recording has one before the clip. */
  readonly segments: readonly RenditionSegment[];
  /** Time from the first frame of the first segment to the first frame of the clip. */
  readonly offsetSeconds: number;
  /** Duration of the clip. */
  readonly durationSeconds: number;
}

/** Tolerance for wall-clock times, which are rounded to milliseconds: the frame at `startMs` belongs to the clip. */
const ROUNDING_MS = 1;

/**
 * Selects the segments of a clip. Gaps of the recording in the range are closed.
 * @param segments segments of the source, in recording order
 * @returns null if nothing was recorded in the range
 */
export function selectClipSegments(
  segments: readonly RenditionSegment[],
  { startMs, endMs }: ClipRange,
): ClipSegments | null {
  const overlapsClip = (segment: RenditionSegment) => endOf(segment) > startMs && segment.wallClockMs < endMs;
  const firstIndex = segments.findIndex(overlapsClip);
  if (firstIndex < 0) return null;
  const cutSegments = segments.slice(firstIndex).filter(overlapsClip);
  const [firstSegment, lastSegment] = [cutSegments[0], cutSegments.at(-1)];
  if (!firstSegment || !lastSegment) return null;
  const leadSegments = leadingSegmentsOf(segments, firstIndex);
  const clipStartMs = Math.max(0, startMs - ROUNDING_MS - firstSegment.wallClockMs);
  const offsetMs = durationOf(leadSegments) + clipStartMs;
  const trimmedEndMs = Math.max(0, endOf(lastSegment) - endMs);
  return {
    segments: [...leadSegments, ...cutSegments],
    offsetSeconds: offsetMs / 1_000,
    durationSeconds: Math.max(0, durationOf(cutSegments) - clipStartMs - trimmedEndMs) / 1_000,
  };
}

/** The segments before the first segment of a clip, back to the last keyframe, that a decoder needs to decode it. */
function leadingSegmentsOf(segments: readonly RenditionSegment[], firstIndex: number): RenditionSegment[] {
  const leadSegments: RenditionSegment[] = [];
  for (let index = firstIndex; ; index--) {
    const [segment, previousSegment] = [segments[index], segments[index - 1]];
    if (!segment || segment.independent || !previousSegment || !isContinuous(previousSegment, segment))
      return leadSegments;
    leadSegments.unshift(previousSegment);
  }
}

/** Whether the stored segments reach the end of a clip. Gaps before the end do not matter. */
export function reachesClipEnd(segments: readonly RenditionSegment[], { endMs }: ClipRange): boolean {
  const lastSegment = segments.at(-1);
  return lastSegment !== undefined && endOf(lastSegment) >= endMs;
}

const endOf = ({ wallClockMs, durationMs }: RenditionSegment): number => wallClockMs + durationMs;
const durationOf = (segments: readonly RenditionSegment[]): number =>
  segments.reduce((sum, { durationMs }) => sum + durationMs, 0);
