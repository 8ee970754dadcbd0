import { minuteMs } from '@/lib/core/units';
import { LRUCache } from 'lru-cache';
import {
  type AudienceSums,
  type ViewShares,
  addFacts,
  addViewer,
  emptySums,
  deleteViewers,
} from '@/lib/core/audience/audience-sums';
import type { PlayerReport } from '@/lib/core/audience/read-cmcd';
import {
  type ViewFacts,
  type ViewState,
  isBeforeStart,
  isPresent,
  nextView,
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
  /** The minute in which the last stall began. */
  readonly stalledIn: number;
}

interface AudienceCountOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Writes current sums of minutes; rejects on failure. */
  readonly write: (minutes: readonly AudienceMinute[]) => Promise<void>;
  /** Ratio of CPU time that was idle since the last call; null if unknown. */
  readonly headroom?: () => number | null;
  /** Called with the facts of each report. */
  readonly onMeasure?: (facts: ViewFacts) => void;
  /** Maximum number of views in memory; beyond it, those with the oldest report are dropped. */
  readonly maxViews?: number;
  /** Maximum number of minutes in memory; beyond it, nothing is counted until some are written. */
  readonly maxMinutes?: number;
}

type CountedMinute = AudienceSums & WatchedObject & { readonly startsAt: number; isWritten: boolean };

/** A view without reports for this long is over. */
const silentMs = 300_000;
/** Milliseconds without a report after which a view no longer counts as watching: players report at least every 30 s. */
const presentMs = 90_000;
/** A stall counts in the minute it began, and is reported when it ends. */
const openMs = 150_000;
/** Below this ratio of idle CPU time, segments are late. */
const overloadedBelow = 0.03;
const noFacts = { playedMs: 0, height: null, began: false, failed: false, left: false };

/**
 * Sums up views by object and minute, in memory. A minute is written as a whole, and again after each change, so a failed
 * write can be repeated. A killed process loses the last seconds.
 */
export class AudienceCount {
  readonly #options: Required<AudienceCountOptions>;
  readonly #views: LRUCache<string, View>;
  readonly #minutes = new Map<string, CountedMinute>();
  /** Objects with viewers at the last sample, whose end is written, too. */
  #watchedObjects = new Map<string, WatchedObject>();
  #sampledAt: number;

  constructor({
    maxViews = 100_000,
    maxMinutes = 20_000,
    onMeasure = () => undefined,
    headroom = () => null,
    ...options
  }: AudienceCountOptions) {
    this.#options = { maxViews, maxMinutes, onMeasure, headroom, ...options };
    // lru-cache never expires an entry with the time 0.
    const perf = { now: () => options.clock.monotonic() + 1 };
    const dispose = (view: View, _key: string, reason: string) => {
      if (reason !== 'set') this.#endView(view);
    };
    this.#views = new LRUCache({ max: maxViews, ttl: silentMs, ttlResolution: 0, perf, dispose });
    this.#sampledAt = options.clock.monotonic();
  }

  /** Adds one report of a player. */
  add({ teamId, objectId }: WatchedObject, report: PlayerReport, shares: ViewShares): void {
    const { clock, onMeasure } = this.#options;
    const key = `${objectId} ${report.sessionId}`;
    const view = this.#views.get(key);
    // A player that sends event reports includes the facts of its request reports.
    if (report.ofRequest && view && view.state.sequence !== null) return;
    const { view: state, facts } = nextView(view?.state ?? null, report);
    const now = clock.now().getTime();
    const minute = this.#minuteOf({ teamId, objectId }, now - (facts.stallMs ?? 0));
    if (minute) addFacts(minute, facts, shares);
    let stalledIn = view?.stalledIn ?? 0;
    if (minute && facts.stallMs !== undefined && stalledIn !== minute.startsAt) {
      stalledIn = minute.startsAt;
      minute.stalledViews += 1;
    }
    this.#views.set(key, { teamId, objectId, state, shares, receivedAt: clock.monotonic(), stalledIn });
    onMeasure(facts);
  }

  /** Counts the current viewers. */
  sample(): void {
    const { clock } = this.#options;
    const at = clock.monotonic();
    const elapsedMs = Math.round(at - this.#sampledAt);
    this.#sampledAt = at;
    this.#views.purgeStale();
    const now = clock.now().getTime();
    const objectsBefore = this.#watchedObjects;
    this.#watchedObjects = new Map();
    for (const { teamId, objectId } of objectsBefore.values()) {
      const minute = this.#minuteOf({ teamId, objectId }, now);
      if (minute) deleteViewers(minute);
    }
    for (const view of this.#views.values()) {
      if (at - view.receivedAt > presentMs || !isPresent(view.state)) continue;
      const minute = this.#minuteOf(view, now);
      if (!minute) continue;
      addViewer(minute, elapsedMs, view.shares);
      this.#watchedObjects.set(view.objectId, view);
    }
    if ((this.#options.headroom() ?? 1) >= overloadedBelow) return;
    for (const watchedObject of this.#watchedObjects.values()) {
      const minute = this.#minuteOf(watchedObject, now);
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
    const closedBefore = this.#options.clock.now().getTime() - minuteMs - openMs;
    for (const [key, { isWritten, startsAt }] of this.#minutes)
      if (isWritten && startsAt < closedBefore) this.#minutes.delete(key);
  }

  #endView({ state, shares, ...watchedObject }: View): void {
    if (!isBeforeStart(state)) return;
    const minute = this.#minuteOf(watchedObject, this.#options.clock.now().getTime());
    if (minute) addFacts(minute, { ...noFacts, left: true }, shares);
  }

  /** The sums of a minute, to be changed; null at the limit. */
  #minuteOf({ teamId, objectId }: WatchedObject, at: number): CountedMinute | null {
    const startsAt = at - (at % minuteMs);
    const key = `${objectId} ${startsAt}`;
    let minute = this.#minutes.get(key);
    if (!minute) {
      if (this.#minutes.size >= this.#options.maxMinutes) return null;
      minute = { ...emptySums(), teamId, objectId, startsAt, isWritten: false };
      this.#minutes.set(key, minute);
    }
    minute.isWritten = false;
    return minute;
  }
}
