import type { SystemContext } from '@/lib/domain/context';
import {
  drainMachine,
  drainTimeoutMs,
  DRAIN_SETTLE_MS,
  type DrainEvent,
  type DrainState,
} from '@/lib/core/nodes/drain';
import { countOtherIngests } from '@/lib/domain/nodes';
import { within } from '@/lib/infra/within';
import type { CapacityGuard } from './capacity-guard';
import type { LiveSessions } from './live-sessions';

interface LiveDrainOptions {
  readonly ctx: SystemContext;
  readonly nodeId: string;
  readonly sessions: Pick<LiveSessions, 'all' | 'waitUntilEmpty'>;
  readonly capacity: Pick<CapacityGuard, 'roomStreams' | 'fullReason'>;
}

/** Timeout of the database queries of a drain. */
const DATABASE_TIMEOUT_MS = 1_000;

/**
 * Takes this node out of service: rejects new publishes, gives streams time to end or to move to another node, and then
 * disconnects the remaining encoders. Their playlists stay as after a lost connection, so viewers keep playing while an
 * encoder reconnects to another node.
 */
export class LiveDrain {
  readonly #options: LiveDrainOptions;
  #state: DrainState = 'serving';
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LiveDrainOptions) {
    this.#options = options;
  }

  /** Whether new publishes are rejected. */
  get draining(): boolean {
    return this.#state !== 'serving';
  }

  /** Whether the process is ending. */
  get stopping(): boolean {
    return this.#stopping;
  }

  get streamCount(): number {
    return this.#options.sessions.all.length;
  }

  /** Number of additional streams that this node can take; null if unknown. */
  get roomStreams(): number | null {
    return this.draining ? 0 : this.#options.capacity.roomStreams;
  }

  /** The reason why new streams are rejected for lack of capacity; null while they are accepted. */
  get fullReason(): string | null {
    return this.#options.capacity.fullReason;
  }

  /** Applies the drain flag in the row of the node. Called at every heartbeat. */
  applyDrainFlag(drainRequested: boolean): void {
    this.#step(drainRequested || this.#stopping ? 'requested' : 'withdrawn');
  }

  /**
   * Drains before the process ends, if streams get time to end. Resolves when no stream is left, or the time is
   * over.
   * @param sendHeartbeat sends a heartbeat immediately, by which other nodes learn of the drain
   */
  async stop(sendHeartbeat: () => Promise<void>): Promise<void> {
    const drainMs = await this.#readDrainMs();
    if (drainMs === 0) return;
    this.#stopping = true;
    this.#step('requested');
    await within(DATABASE_TIMEOUT_MS, sendHeartbeat()).catch((error: unknown) => {
      this.#options.ctx.log.warn({ err: error }, 'drain not announced');
    });
    await within(drainMs + DRAIN_SETTLE_MS, this.#options.sessions.waitUntilEmpty()).catch(() => {
      this.#options.ctx.log.warn({ streams: this.streamCount }, 'drain timed out');
    });
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #step(event: DrainEvent): void {
    const stateBefore = this.#state;
    const state = drainMachine.nextState(stateBefore, event) ?? stateBefore;
    this.#state = state;
    if (stateBefore === 'serving' && state === 'draining') void this.#startDrain();
    if (stateBefore !== 'serving' && state === 'serving') this.#cancelDrain();
    // Encoders are disconnected at every heartbeat, because a publish that was being admitted when the drain started
    // may arrive later.
    if (state === 'drained') this.#disconnect();
  }

  async #startDrain(): Promise<void> {
    const drainMs = await this.#readDrainMs();
    // The drain was cancelled meanwhile.
    if (this.#state !== 'draining') return;
    const { log } = this.#options.ctx;
    log.info({ streams: this.streamCount, seconds: drainMs / 1_000 }, 'draining: no new publishes');
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#step('timed_out'), drainMs);
  }

  #cancelDrain(): void {
    clearTimeout(this.#timer);
    this.#options.ctx.log.info('drain cancelled: publishes are accepted again');
  }

  #disconnect(): void {
    const { sessions, ctx } = this.#options;
    const publishingSessions = sessions.all.filter(({ publisher }) => publisher !== null);
    if (publishingSessions.length === 0) return;
    ctx.log.info({ streams: publishingSessions.length }, 'draining: encoders disconnected');
    for (const session of publishingSessions) session.disconnect('lost');
  }

  /** Time for the streams to end; 0 if the database does not confirm that other nodes are available. */
  async #readDrainMs(): Promise<number> {
    const { ctx, nodeId } = this.#options;
    const { drainSeconds } = ctx.settings;
    if (drainSeconds !== undefined) return drainTimeoutMs(drainSeconds, 0);
    return drainTimeoutMs(
      drainSeconds,
      await within(DATABASE_TIMEOUT_MS, countOtherIngests(ctx, nodeId)).catch(() => 0),
    );
  }
}
