import { MINUTE_MS } from '@/lib/core/units';
import { LRUCache } from 'lru-cache';
import {
  type AudienceSums,
  type ViewShares,
  addViewFacts,
  addViewer,
  createEmptySums,
  resetViewers,
} from '@/lib/core/audience/audience-sums';
import type { PlayerReport } from '@/lib/core/audience/read-cmcd';
import {
  type ViewFacts,
  type ViewState,
  waitsForFirstFrame,
  isViewerPresent,
  applyReport,
  applyRequestOfView,
  noFacts,
} from '@/lib/core/audience/view-state';
import type { AudienceMinute } from '@/lib/domain/audience';
import type { Clock } from '@/lib/infra/clock';

/** A stream or asset that has viewers. */
export interface WatchedObject {
  readonly teamId: string;
  readonly objectId: string;
}

interface View extends WatchedObject {
  readonly state: ViewState;
  readonly shares: ViewShares;
  /** When the last report of the view arrived, monotonic milliseconds. */
  readonly receivedAt: number;
  /** The start of the minute in which the last stall began; null if no stall was counted. */
  readonly lastStalledMinute: number | null;
}

interface AudienceCountOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Writes current sums of minutes; rejects on failure. */
  readonly write: (minutes: readonly AudienceMinute[]) => Promise<void>;
  /** Ratio of CPU time that was idle since the last call; null if unknown. */
  readonly readCpuHeadroom?: () => number | null;
  /** Called with the facts of each report. */
  readonly onMeasure?: (facts: ViewFacts) => void;
  /** Maximum number of views in memory; beyond it, those with the oldest report are dropped. */
  readonly maxViews?: number;
  /**
   * Maximum number of minutes of all objects in memory; beyond it, no new minute is counted until older ones are
   * written and deleted.
   */
  readonly maxMinutes?: number;
}

type CountedMinute = AudienceSums & WatchedObject & { readonly startsAt: number; isWritten: boolean };

/** A view without reports for this long is over. */
const VIEW_TIMEOUT_MS = 300_000;
/** Milliseconds without a report after which a view no longer counts as watching: players report at least every 30 s. */
const WATCHING_TIMEOUT_MS = 90_000;
/**
 * How long a written minute stays in memory after its end: a stall counts in the minute in which it began, and is
 * reported when it ends.
 */
const STALL_REPORT_TIMEOUT_MS = 150_000;
const minuteKey = (objectId: string, startsAt: number): string => `${objectId} ${startsAt}`;

/** Below this ratio of idle CPU time, this machine delivers segments late. */
const OVERLOADED_BELOW_RATIO = 0.03;

/**
 * Sums up views by object and minute, in memory. A minute is written as a whole, and again after each change, so a failed
 * write can be repeated. A killed process loses the last seconds.
 */
export class AudienceCount {
  readonly #options: Required<AudienceCountOptions>;
  readonly #views: LRUCache<string, View>;
  readonly #minutes = new Map<string, CountedMinute>();
  /**
   * Objects with viewers at the last sample. Each sample resets their current viewers first, so that a 0 is written
   * when the last viewer leaves.
   */
  #watchedObjects = new Map<string, WatchedObject>();
  #sampledAt: number;

  constructor({
    maxViews = 100_000,
    maxMinutes = 20_000,
    onMeasure = () => undefined,
    readCpuHeadroom = () => null,
    ...options
  }: AudienceCountOptions) {
    this.#options = { maxViews, maxMinutes, onMeasure, readCpuHeadroom, ...options };
    // lru-cache never expires an entry with the time 0.
    const perf = { now: () => options.clock.monotonic() + 1 };
    const dispose = (view: View, _key: string, reason: string) => {
      if (reason !== 'set') this.#endView(view);
    };
    this.#views = new LRUCache({ max: maxViews, ttl: VIEW_TIMEOUT_MS, ttlResolution: 0, perf, dispose });
    this.#sampledAt = options.clock.monotonic();
  }

  /** Adds one report of a player. */
  add({ teamId, objectId }: WatchedObject, report: PlayerReport, shares: ViewShares): void {
    const { clock, onMeasure } = this.#options;
    const key = `${objectId} ${report.sessionId}`;
    const view = this.#views.get(key);
    // A player that sends event reports includes the facts of its request reports, except the buffer.
    if (report.isFromRequest && view && view.state.sequence !== null) {
      this.#addRequestOfView(key, view, report);
      return;
    }
    const { view: state, facts } = applyReport(view?.state ?? null, report);
    const now = clock.now().getTime();
    // A stall is reported at its end, and counts when it began.
    const minute = this.#openMinute({ teamId, objectId }, now - (facts.stallMs ?? 0));
    if (minute) addViewFacts(minute, facts, shares);
    const hasStalled = facts.stallMs !== undefined;
    if (minute && hasStalled && view?.lastStalledMinute !== minute.startsAt) minute.stalledViews += 1;
    this.#views.set(key, {
      teamId,
      objectId,
      state,
      shares,
      receivedAt: clock.monotonic(),
      lastStalledMinute: hasStalled ? (minute?.startsAt ?? null) : (view?.lastStalledMinute ?? null),
    });
    onMeasure(facts);
  }

  /** Adds the current viewers to the current minute. */
  sample(): void {
    const { clock } = this.#options;
    const monotonicNow = clock.monotonic();
    const elapsedMs = Math.round(monotonicNow - this.#sampledAt);
    this.#sampledAt = monotonicNow;
    this.#views.purgeStale();
    const now = clock.now().getTime();
    const objectsBefore = this.#watchedObjects;
    this.#watchedObjects = new Map();
    for (const { teamId, objectId } of objectsBefore.values()) {
      const minute = this.#openMinute({ teamId, objectId }, now);
      if (minute) resetViewers(minute);
    }
    for (const view of this.#views.values()) {
      if (monotonicNow - view.receivedAt > WATCHING_TIMEOUT_MS || !isViewerPresent(view.state)) continue;
      const minute = this.#openMinute(view, now);
      if (!minute) continue;
      addViewer(minute, elapsedMs, view.shares);
      this.#watchedObjects.set(view.objectId, view);
    }
    if ((this.#options.readCpuHeadroom() ?? 1) >= OVERLOADED_BELOW_RATIO) return;
    for (const watchedObject of this.#watchedObjects.values()) {
      const minute = this.#openMinute(watchedObject, now);
      if (minute) minute.overloadedMs += elapsedMs;
    }
  }

  /** Writes changed minutes. Rejects on failure and keeps them for the next call. */
  async flush(): Promise<void> {
    const changedMinutes = [...this.#minutes.values()].filter(({ isWritten }) => !isWritten);
    for (const minute of changedMinutes) minute.isWritten = true;
    try {
      await this.#options.write(changedMinutes.map(({ isWritten: _isWritten, ...minute }) => minute));
    } catch (error) {
      for (const minute of changedMinutes) minute.isWritten = false;
      throw error;
    }
    const closedBefore = this.#options.clock.now().getTime() - MINUTE_MS - STALL_REPORT_TIMEOUT_MS;
    for (const [key, { isWritten, startsAt }] of this.#minutes)
      if (isWritten && startsAt < closedBefore) this.#minutes.delete(key);
  }

  /** Adds what a request tells about the last stall of a view, in the minute of the stall if it may still change. */
  #addRequestOfView(key: string, view: View, report: PlayerReport): void {
    const { objectId, lastStalledMinute, shares } = view;
    const elapsedMs = this.#options.clock.monotonic() - view.receivedAt;
    const { view: state, facts } = applyRequestOfView(view.state, report, elapsedMs);
    if (state === view.state) return;
    this.#views.set(key, { ...view, state }, { noUpdateTTL: true });
    if (lastStalledMinute === null) return;
    const minute = this.#minutes.get(minuteKey(objectId, lastStalledMinute));
    if (!minute) return;
    addViewFacts(minute, facts, shares);
    minute.isWritten = false;
  }

  /** Counts a view that ended before its first frame as left. */
  #endView({ state, shares, ...watchedObject }: View): void {
    if (!waitsForFirstFrame(state)) return;
    const minute = this.#openMinute(watchedObject, this.#options.clock.now().getTime());
    if (minute) addViewFacts(minute, { ...noFacts, left: true }, shares);
  }

  /** Returns the sums of the minute with a time and marks them as changed; null if the maximum number of minutes is reached. */
  #openMinute({ teamId, objectId }: WatchedObject, unixMs: number): CountedMinute | null {
    const startsAt = unixMs - (unixMs % MINUTE_MS);
    const key = minuteKey(objectId, startsAt);
    let minute = this.#minutes.get(key);
    if (!minute) {
      if (this.#minutes.size >= this.#options.maxMinutes) return null;
      minute = { ...createEmptySums(), teamId, objectId, startsAt, isWritten: false };
      this.#minutes.set(key, minute);
    }
    minute.isWritten = false;
    return minute;
  }
}
