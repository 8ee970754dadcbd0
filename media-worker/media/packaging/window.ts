import type { PlaylistRendition, PlaylistWindow } from '@/lib/core/hls/playlist';
import type { Clock } from '@/lib/infra/clock';
import type { InitEvent, MediaEvent, PartEvent } from './packager-events';
import { PACKAGER_LIMITS } from './packager-limits';
import { addsVideo, listedSegmentCount, initialMsn, outdatedCount, measureRendition } from './window-facts';
import type { WindowLimits } from './window-facts';
import {
  type WindowObserver,
  type WindowPart,
  type WindowPeriod,
  type WindowPosition,
  WindowSegment,
} from './window-segment';

export interface WindowOptions {
  readonly clock: Clock;
  /** Minimum number of segments in the playlist. */
  readonly minListedCount?: number;
  /** Number of segments kept before the listed ones, for players with an older playlist. */
  readonly olderCount?: number;
  /** Maximum bytes of closed segments; beyond it, the oldest are dropped early, except the newest segment. */
  readonly maxBytes?: number;
  /** Media time of the first frame, later than 0 where another process packaged the session's media before. */
  readonly startMs?: number;
  readonly partMs?: number;
  readonly segmentMs?: number;
  /** The first media sequence number that may be used. */
  readonly fromMsn?: number;
}

/**
 * Amount by which a segment may exceed the target duration, because durations are rounded to whole seconds. It is less than
 * 500 ms, because the frames of a rendition may be further apart than those of its source.
 */
const MAX_ROUNDED_DOWN_MS = 400;
/** Parts end at the nearest frame boundary. */
const PART_TOLERANCE = 1.1;

/** The last segments of one rendition in memory, across publishes. The only source of its playlist. */
export class LiveWindow {
  readonly #limits: WindowLimits;
  readonly #partTargetMs: number;
  readonly #isResumed: boolean;
  readonly #observers = new Set<WindowObserver>();
  readonly #segments: WindowSegment[] = [];
  /** The newest segment while parts are added. */
  #open: WindowSegment | undefined;
  #period: WindowPeriod | undefined;
  #publish: { readonly number: number; inits: number } | undefined;
  #alignment: WindowPosition | undefined;
  /** Start of the open segment or of the next one, media time in ms. */
  #edgeMs = 0;
  #nextMsn: number;
  #targetDuration: number;
  #hasDeclaredTarget = false;
  /** The window whose segments this one mirrors. */
  #leader: Pick<LiveWindow, 'targetDuration'> | undefined;
  #mediaEndMs: number;
  #hasEnded = false;
  /** Whether the following media is the slate. */
  isSlate = false;

  constructor(options: WindowOptions) {
    const { minListedCount = 6, olderCount = 3, maxBytes = 128 * 1024 * 1024 } = options;
    this.#limits = { minListedCount, olderCount, maxBytes };
    this.#partTargetMs = Math.round((options.partMs ?? PACKAGER_LIMITS.partMs) * PART_TOLERANCE);
    this.#targetDuration = Math.round((options.segmentMs ?? PACKAGER_LIMITS.segmentMs) / 1000);
    this.#mediaEndMs = options.startMs ?? 0;
    this.#isResumed = this.#mediaEndMs > 0;
    this.#nextMsn = Math.max(options.fromMsn ?? 0, initialMsn(options.clock.now()));
  }

  /** End of all media so far, ms: where the packager of the next publish starts. */
  get mediaEndMs(): number {
    return this.#mediaEndMs;
  }

  /** Whole seconds, set by the first segment. A rendition uses the target duration of its source. */
  get targetDuration(): number {
    return Math.max(this.#targetDuration, this.#leader?.targetDuration ?? 0);
  }

  /** Longest segment without a longer target duration, ms; unlimited before one is declared. */
  get maxSegmentMs(): number {
    return this.#hasDeclaredTarget ? this.#targetDuration * 1000 + MAX_ROUNDED_DOWN_MS : Infinity;
  }

  /** The first media sequence number that no URL has used, including the numbers of a gap before it. */
  get nextFreeMsn(): number {
    return this.#nextMsn + 1;
  }

  /** Whether the playlist without parts can be played: a segment is closed. */
  get isPlayable(): boolean {
    return this.#segments.length > 0;
  }

  /**
   * Whether the low-latency playlist can be played: a player can begin at one of its parts. A resumed session needs a whole
   * segment, because hls.js measures the time between its older playlist and this one in segments of this one.
   */
  get isStartable(): boolean {
    return this.isPlayable || (!this.#isResumed && this.#open?.parts[0]?.independent === true);
  }

  /** Starts the segments of a publish, whose number names the init segments. Reopens an ended playlist. */
  startPublish(publishNumber: number): void {
    this.#publish = { number: publishNumber, inits: 0 };
    this.#hasEnded = false;
  }

  /**
   * Mirrors the segments of another window from `position` on, beginning with the next init segment: same numbers,
   * discontinuities and dates. Open media is dropped; at the next closed segment, earlier segments that do not directly precede
   * it are dropped as well, because a playlist has no gaps.
   */
  align(position: WindowPosition, leader: Pick<LiveWindow, 'targetDuration'>): void {
    this.#leader = leader;
    this.#open = undefined;
    this.#nextMsn = position.msn;
    this.#alignment = position;
    this.#hasEnded = false;
  }

  /** The segment at media time `ms`; undefined if it does not exist. */
  positionAt(ms: number): WindowPosition | undefined {
    if (this.#period && ms >= this.#edgeMs) {
      const { msn } = this.#open ?? { msn: this.#nextMsn };
      return { msn, startMs: this.#edgeMs, period: this.#period };
    }
    return this.#segments.findLast((segment) => segment.startMs <= ms);
  }

  /** Applies the packager's events, in order. */
  apply(event: MediaEvent): void {
    if (event.type === 'init') this.#startPeriod(event);
    else if (event.type === 'part') this.#addPart(event);
    else this.#closeSegment();
  }

  /** Adds the end tag to the playlist after the last publish. */
  end(): void {
    this.#hasEnded = true;
    for (const observer of this.#observers) observer.onEnd?.();
  }

  /** @returns a function that stops observing */
  observe(observer: WindowObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** The current content of the playlist. */
  view(): PlaylistWindow {
    const open = this.#isContiguous(this.#open) ? this.#open : undefined;
    const last = this.#segments.at(-1);
    const listedCount = listedSegmentCount(this.#segments, this.#limits.minListedCount, this.targetDuration);
    return {
      targetDuration: this.targetDuration,
      segments: this.#segments.slice(-listedCount),
      open,
      // A segment after a gap is not listed yet: requests wait until it is.
      nextMsn: open || !last ? this.#nextMsn : last.msn + 1,
      nextDiscontinuity: this.#period?.discontinuity ?? this.#publish?.number ?? 0,
      partTargetMs: this.#partTargetMs,
      ended: this.#hasEnded,
    };
  }

  /** Facts for the master playlist, measured on parts until a segment is closed; undefined before the first part. */
  measure(): Omit<PlaylistRendition, 'uri'> | undefined {
    return measureRendition(this.isPlayable || !this.#open ? this.#segments : [this.#open]);
  }

  /** Bytes of an init segment, such as `init-<publish number>-1.mp4`, while a segment in the window needs it. */
  findInit(name: string): Buffer | undefined {
    if (this.#period?.init === name) return this.#period.initData;
    return this.#segments.find((segment) => segment.init === name)?.period.initData;
  }

  /** A closed segment; its bytes are those of its parts. */
  findSegment(msn: number): WindowSegment | undefined {
    return this.#segments.find((segment) => segment.msn === msn);
  }

  /** A part of an open or closed segment. */
  findPart(msn: number, part: number): WindowPart | undefined {
    const segment = this.#open?.msn === msn ? this.#open : this.findSegment(msn);
    return segment?.parts[part];
  }

  #startPeriod({ data, tracks, startMs, wallClockMs }: InitEvent): void {
    this.#edgeMs = startMs;
    const alignment = this.#alignment;
    if (alignment) {
      const { publishNumber, discontinuity, wallClockOffsetMs } = alignment.period;
      // The name is unique because media sequence numbers are never reused.
      const init = `init-${publishNumber}-${alignment.msn}.mp4`;
      this.#period = { publishNumber, init, initData: data, tracks, discontinuity, wallClockOffsetMs };
      return;
    }
    const previous = this.#period;
    const publish = (this.#publish ??= { number: 0, inits: 0 });
    const suffix = publish.inits++ === 0 ? '' : `-${publish.inits - 1}`;
    // The wall clock may be set back between two publishes; playlist dates may not.
    const last = this.#segments.at(-1);
    const earliestWallClockMs = last ? last.wallClockMs + last.durationMs : -Infinity;
    this.#period = {
      publishNumber: publish.number,
      init: `init-${publish.number}${suffix}.mp4`,
      initData: data,
      tracks,
      discontinuity: this.#period ? this.#period.discontinuity + 1 : publish.number,
      wallClockOffsetMs: Math.max(wallClockMs, earliestWallClockMs) - startMs,
    };
    // Players cannot add a track: the playlist ends, and restarts with the first segment that has video.
    if (previous && last && addsVideo(previous, this.#period)) this.end();
  }

  #addPart(part: PartEvent): void {
    if (!this.#period) return;
    this.#open ??= new WindowSegment(this.#nextMsn++, this.#period, part.startMs, this.isSlate);
    const open = this.#open;
    open.add(part);
    this.#mediaEndMs = Math.max(this.#mediaEndMs, Math.ceil(part.endMs));
    for (const observer of this.#observers) observer.onPart?.(open, open.parts.length - 1);
  }

  #closeSegment(): void {
    const closedSegment = this.#open;
    if (!closedSegment) return;
    this.#open = undefined;
    this.#edgeMs = closedSegment.endMs;
    if (!this.#isContiguous(closedSegment)) {
      this.#segments.length = 0;
      this.#hasEnded = false;
    }
    this.#segments.push(closedSegment);
    // Later segments are cut to fit (RFC 8216 section 6.2.1); only a pause of the publisher is longer.
    this.#targetDuration = Math.max(this.#targetDuration, Math.round(closedSegment.durationMs / 1000));
    this.#hasDeclaredTarget = true;
    this.#segments.splice(0, outdatedCount(this.#segments, this.targetDuration, this.#limits));
    for (const observer of this.#observers) observer.onSegment?.(closedSegment);
  }

  #isContiguous(segment: WindowSegment | undefined): boolean {
    const last = this.#segments.at(-1);
    return !segment || !last || (segment.msn === last.msn + 1 && !addsVideo(last.period, segment.period));
  }
}
