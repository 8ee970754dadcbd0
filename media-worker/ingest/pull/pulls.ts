import type { SystemContext } from '@/lib/domain/context';
import { endExpiredPull, leasePulls, type LeasedPull, releasePulls, reportPull } from '@/lib/domain/streams';
import { runPeriodically } from '@/media-worker/kit/process/run-periodically';
import type { LiveDrain } from '@/media-worker/live/session/live-drain';
import type { AdmitPublish } from '@/media-worker/media/packets/publish';
import type { PullClients } from './open-source';
import { Pull } from './pull';
import type { PullLimits } from './pull-attempt';

export interface PullsOptions {
  readonly ctx: SystemContext;
  readonly nodeId: string;
  readonly clients: PullClients;
  readonly admit: AdmitPublish;
  readonly drain: Pick<LiveDrain, 'draining' | 'fullReason'>;
  readonly limits?: Partial<PullLimits>;
}

/** Interval at which the rows of pulls are read. No notification announces the pulls of a dead node. */
const CHECK_INTERVAL_MS = 2_000;
/** Maximum number of pulls taken per pass, so that several nodes share them. */
const MAX_LEASES_PER_PASS = 4;

/** The streams that this node pulls. For each pull, one node of the installation has the lease. */
export class Pulls {
  readonly #options: PullsOptions;
  readonly #pulls = new Map<string, Pull>();
  /** Start times of expired pulls whose end is not written yet, by stream. */
  readonly #expiredStarts = new Map<string, number>();
  /** Pulls that are being stopped. */
  readonly #stopping = new Set<Promise<void>>();
  readonly #reconcileTimer: ReturnType<typeof runPeriodically>;

  constructor(options: PullsOptions) {
    this.#options = options;
    this.#reconcileTimer = runPeriodically(CHECK_INTERVAL_MS, 'pulls', options.ctx.log, () =>
      this.#reconcile(),
    );
  }

  get count(): number {
    return this.#pulls.size;
  }

  /** Reads the rows of pulls immediately, because they have changed. */
  refresh(): void {
    this.#reconcileTimer.runNow();
  }

  /** Stops all pulls; other nodes take them over. */
  async close(): Promise<void> {
    await this.#reconcileTimer.close();
    const whenEnded = [...this.#pulls.keys()].map((streamId) => this.#end(streamId, 'cut'));
    await Promise.all([...whenEnded, ...this.#stopping]);
    const { ctx, nodeId } = this.#options;
    await releasePulls(ctx, { nodeId });
  }

  async #reconcile(): Promise<void> {
    const { ctx, nodeId, drain } = this.#options;
    if (drain.draining) {
      if (this.#pulls.size === 0) return;
      await Promise.all([...this.#pulls.keys()].map((streamId) => this.#end(streamId, 'lost')));
      await releasePulls(ctx, { nodeId });
      return;
    }
    await this.#writeReports();
    await this.#endExpired();
    const freeSlots = drain.fullReason === null ? ctx.settings.pullStreams - this.#pulls.size : 0;
    const leases = await leasePulls(ctx, {
      nodeId,
      room: Math.max(0, Math.min(freeSlots, MAX_LEASES_PER_PASS)),
    });
    const leasedIds = new Set(leases.map(({ streamId }) => streamId));
    for (const streamId of this.#pulls.keys())
      if (!leasedIds.has(streamId)) void this.#end(streamId, 'finished');
    for (const lease of leases) this.#ensurePull(lease);
  }

  /** Starts the pull of a lease, unless it runs already. A changed pull replaces the running one. */
  #ensurePull(lease: LeasedPull): void {
    const runningPull = this.#pulls.get(lease.streamId);
    if (runningPull?.lease.version === lease.version) return;
    const { ctx, clients, admit, limits } = this.#options;
    const { streamId, startedAt } = lease;
    const pull = new Pull(
      {
        lease,
        clients,
        admit,
        clock: ctx.clock,
        log: ctx.log,
        onReport: () => this.refresh(),
        onExpired: () => {
          this.#expiredStarts.set(streamId, startedAt);
          this.refresh();
        },
        ...(limits && { limits }),
      },
      runningPull?.stop('lost'),
    );
    this.#pulls.set(streamId, pull);
    ctx.log.info({ streamId }, 'pull started');
  }

  async #end(streamId: string, reason: 'cut' | 'finished' | 'lost'): Promise<void> {
    const pull = this.#pulls.get(streamId);
    this.#pulls.delete(streamId);
    if (!pull) return;
    const whenStopped = pull.stop(reason).finally(() => this.#stopping.delete(whenStopped));
    this.#stopping.add(whenStopped);
    await whenStopped;
  }

  async #endExpired(): Promise<void> {
    const { ctx, nodeId } = this.#options;
    for (const [streamId, startedAt] of this.#expiredStarts) {
      await endExpiredPull(ctx, { streamId, nodeId, startedAt });
      this.#expiredStarts.delete(streamId);
    }
  }

  async #writeReports(): Promise<void> {
    const { ctx, nodeId } = this.#options;
    for (const [streamId, pull] of this.#pulls) {
      const report = pull.takeReport();
      if (!report) continue;
      try {
        await reportPull(ctx, { streamId, nodeId, report });
      } catch (error) {
        pull.keepReport();
        throw error;
      }
    }
  }
}
