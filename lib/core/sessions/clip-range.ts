import type { FieldIssue } from '@/lib/core/errors';
import { minuteMs, hourMs } from '@/lib/core/units';
import { type Cell, continues } from './recording-timeline';

/** Time span of a clip, in milliseconds: Unix time for a recording, offset for an asset. */
export interface ClipRange {
  readonly startMs: number;
  readonly endMs: number;
}

export const clipLimits = {
  minMs: 1_000,
  maxMs: hourMs,
  /** Maximum number of clips of one team in progress. */
  running: 5,
  /** How far in the future a clip of a live stream may end, because clocks differ. */
  aheadMs: 60_000,
};

/** Limits of clips made by viewers. */
export const viewerClipLimits = {
  maxMs: 60_000,
  /** Maximum number in progress, so that members of the team can still make clips. */
  running: 3,
  /** Maximum number of clips per stream and day. */
  perStream: 100,
  perTeam: 500,
};

/** Time span that can be clipped. In a session in progress, `endMs` is the current time. */
interface Available extends ClipRange {
  readonly live: boolean;
}

/**
 * The range of a clip request. Without an end, the range extends to the end of the available media.
 * @param maxMs maximum duration of a clip
 * @returns the range, or what is wrong with a field
 */
export function clipRange(
  { startTime, endTime }: { readonly startTime: number; readonly endTime?: number | undefined },
  available: Available,
  maxMs = clipLimits.maxMs,
): ClipRange | FieldIssue {
  const range = { startMs: startTime, endMs: endTime ?? available.endMs };
  const { minMs, aheadMs } = clipLimits;
  if (startTime >= available.endMs)
    return { field: 'startTime', message: 'is after the end of what can be clipped' };
  if (range.endMs <= range.startMs) return { field: 'endTime', message: 'must be after startTime' };
  if (range.endMs <= available.startMs)
    return { field: 'endTime', message: 'is before the beginning of what can be clipped' };
  if (available.live && range.endMs > available.endMs + aheadMs)
    return { field: 'endTime', message: 'is in the future' };
  if (range.endMs - range.startMs < minMs)
    return { field: 'endTime', message: `a clip lasts at least ${minMs / 1_000} second` };
  if (range.endMs - range.startMs > maxMs) {
    const requiredText = endTime === undefined ? 'is required: ' : '';
    const longest = maxMs > 60_000 ? `${maxMs / minuteMs} minutes` : `${maxMs / 1_000} seconds`;
    return { field: 'endTime', message: `${requiredText}a clip lasts at most ${longest}` };
  }
  return range;
}

/** Segments of a recording that contain a clip. */
export interface ClipCut {
  /** Cells in recording order. The first one starts with a keyframe. */
  readonly cells: readonly Cell[];
  /** Seconds from the first frame of the first segment to the first frame of the clip. */
  readonly offset: number;
  readonly seconds: number;
}

/** Wall-clock times are rounded to milliseconds: the frame at exactly `startMs` belongs to the clip. */
const roundingMs = 1;

/**
 * Chooses the segments of a clip. Gaps inside the range are closed.
 * @param cells of the source, in recording order
 * @returns null if nothing was recorded in the range
 */
export function clipCut(cells: readonly Cell[], { startMs, endMs }: ClipRange): ClipCut | null {
  const inside = (cell: Cell) => endOf(cell) > startMs && cell.wallMs < endMs;
  const first = cells.findIndex(inside);
  if (first < 0) return null;
  const cutCells = cells.slice(first).filter(inside);
  const [begin, last] = [cutCells[0], cutCells.at(-1)];
  if (!begin || !last) return null;
  const leadCells = leadOf(cells, first);
  const from = Math.max(0, startMs - roundingMs - begin.wallMs);
  const offsetMs = durationOf(leadCells) + from;
  const cutMs = Math.max(0, endOf(last) - endMs);
  return {
    cells: [...leadCells, ...cutCells],
    offset: offsetMs / 1_000,
    seconds: Math.max(0, durationOf(cutCells) - from - cutMs) / 1_000,
  };
}

/** The segments before the first one that a decoder needs. */
function leadOf(cells: readonly Cell[], first: number): Cell[] {
  const leadCells: Cell[] = [];
  for (let index = first; ; index--) {
    const [cell, previousCell] = [cells[index], cells[index - 1]];
    if (!cell || cell.independent || !previousCell || !continues(previousCell, cell)) return leadCells;
    leadCells.unshift(previousCell);
  }
}

/** Whether the range is recorded completely, as far as the segments show. */
export function coversClip(cells: readonly Cell[], { endMs }: ClipRange): boolean {
  const last = cells.at(-1);
  return last !== undefined && endOf(last) >= endMs;
}

const endOf = ({ wallMs, durationMs }: Cell): number => wallMs + durationMs;
const durationOf = (cells: readonly Cell[]): number =>
  cells.reduce((sum, { durationMs }) => sum + durationMs, 0);
