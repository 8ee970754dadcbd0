import type { PlaylistSegment } from '@/lib/core/hls/playlist';
import type { Tracks } from '@/media-worker/media/cmaf/codec-config';
import type { PartEvent } from './packager-events';

/** The media of one init segment. */
export interface WindowPeriod {
  /** Number of the publish, from the database. */
  readonly publishNumber: number;
  /** File name of the init segment. */
  readonly init: string;
  readonly initData: Buffer;
  readonly tracks: Tracks;
  readonly discontinuity: number;
  /** Offset from media time to wall clock, ms since 1970. */
  readonly wallClockOffsetMs: number;
}

/** Position of a segment: its number, its start (media time, ms), and its period. */
export interface WindowPosition {
  readonly msn: number;
  readonly startMs: number;
  readonly period: WindowPeriod;
}

/** A part of a segment; times in ms. */
export interface WindowPart {
  /** Consecutive buffers of the part's bytes. */
  readonly data: readonly Buffer[];
  readonly startMs: number;
  readonly durationMs: number;
  readonly independent: boolean;
}

/** A segment in memory: open while parts are added, then closed permanently. */
export class WindowSegment implements PlaylistSegment {
  readonly msn: number;
  readonly period: WindowPeriod;
  readonly startMs: number;
  /** Whether the segment contains only the slate. */
  readonly isSlate: boolean;
  readonly #parts: WindowPart[] = [];
  #bytes = 0;
  #videoFrames = 0;
  #endMs: number;

  constructor(msn: number, period: WindowPeriod, startMs: number, isSlate = false) {
    this.msn = msn;
    this.period = period;
    this.startMs = startMs;
    this.isSlate = isSlate;
    this.#endMs = startMs;
  }

  add(part: PartEvent): void {
    const { data, bytes, startMs, durationMs, independent, videoFrames } = part;
    this.#parts.push({ data, startMs, durationMs, independent });
    this.#bytes += bytes;
    this.#videoFrames += videoFrames;
    this.#endMs = startMs + durationMs;
  }

  get parts(): readonly WindowPart[] {
    return this.#parts;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get videoFrames(): number {
    return this.#videoFrames;
  }

  /** Media time of the end, ms. */
  get endMs(): number {
    return this.#endMs;
  }

  get durationMs(): number {
    return this.#endMs - this.startMs;
  }

  /** Whether the segment starts with a keyframe, or has no part yet. */
  get independent(): boolean {
    return this.#parts[0]?.independent ?? true;
  }

  get init(): string {
    return this.period.init;
  }

  get discontinuity(): number {
    return this.period.discontinuity;
  }

  /** Wall clock time of the start, ms since 1970. */
  get wallClockMs(): number {
    return Math.round(this.startMs + this.period.wallClockOffsetMs);
  }
}

/** Callbacks run after the window has changed, so a playlist read from a callback is up to date. */
export interface WindowObserver {
  onPart?(segment: WindowSegment, part: number): void;
  onSegment?(segment: WindowSegment): void;
  /** Called when the window has ended; a later publish reopens it. */
  onEnd?(): void;
}
