import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/context';
import type { Clock } from '@/lib/infra/clock';
import { keptMachineId } from '@/lib/infra/node-address';
import { announceNode, withdrawNode, type NodeIdentity } from '@/lib/nodes';
import { releaseNode } from '@/lib/streams';
import { every } from './every';
import { replacePredecessor } from './predecessor';

export interface Presence {
  /** For how many milliseconds the database has answered every announcement. */
  steadyMs(): number;
  close(): Promise<void>;
}

/**
 * A live node announces itself five times within the 10 s after which it counts as dead. Nothing depends on the age of the
 * others: their callers ask them over HTTP.
 */
const announceMs = { live: 2_000, origin: 5_000, jobs: 5_000 } as const;
const bootRetryMs = 500;
/** A slower answer means that the database was unavailable. */
const slowMs = 3_000;

/**
 * Announces this process in the table of nodes, after the streams of its predecessor were marked idle. Waits for the
 * database without a limit; `close` withdraws the node.
 */
export async function announcePresence(
  ctx: SystemContext,
  process: Omit<NodeIdentity, 'machineId'>,
  signal: AbortSignal,
): Promise<Presence> {
  const machineId = await keptMachineId(ctx.settings.dataDir).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'machine ID not saved');
    return null;
  });
  const node = { ...process, machineId };
  const predecessor = await replacePredecessor(
    { dataDir: ctx.settings.dataDir, role: node.role, nodeId: node.id, url: node.url },
    ctx.log,
  );
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      if (predecessor) {
        const released = await releaseNode(ctx, predecessor);
        if (released > 0) ctx.log.warn({ released }, "marked the previous process's streams idle");
        await withdrawNode(ctx, predecessor);
      }
      await announceNode(ctx, node);
      break;
    } catch (error) {
      if (attempt === 1) ctx.log.warn({ err: error }, 'waiting for the database');
      await delay(bootRetryMs);
    }
  }
  const uptime = new Uptime(ctx.clock);
  const announcing = every(announceMs[node.role], 'node heartbeat', ctx.log, () =>
    uptime.measure(() => announceNode(ctx, node)),
  );
  return {
    steadyMs: () => uptime.ms,
    async close() {
      await announcing.close();
      await withdrawNode(ctx, node.id);
    },
  };
}

/** How long every call has been answered in time. */
export class Uptime {
  readonly #clock: Clock;
  #since: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get ms(): number {
    return this.#since === null ? 0 : this.#clock.monotonic() - this.#since;
  }

  async measure(work: () => Promise<void>): Promise<void> {
    const begin = this.#clock.monotonic();
    try {
      await work();
      this.#since ??= begin;
      if (this.#clock.monotonic() - begin > slowMs) this.#since = null;
    } catch (error) {
      this.#since = null;
      throw error;
    }
  }
}
