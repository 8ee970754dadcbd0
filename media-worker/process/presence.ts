import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/context';
import type { Clock } from '@/lib/infra/clock';
import { announceNode, withdrawNode, type NodeIdentity } from '@/lib/nodes';
import { releaseNode } from '@/lib/streams';
import { every } from './every';
import { replacePredecessor } from './predecessor';

export interface Place {
  /** For how many milliseconds the database has answered every announcement. */
  steadyMs(): number;
  close(): Promise<void>;
}

/**
 * A live node announces itself five times within the 10 s after which its streams are idle. Nothing ends with the others:
 * whoever looks for them asks them over HTTP.
 */
const announceMs = { live: 2_000, origin: 5_000, jobs: 5_000 } as const;
const bootRetryMs = 500;
/** An answer slower than this means that the database was away. */
const slowMs = 3_000;

/**
 * Takes this process's place in the table of nodes: whatever its predecessor left running is idle first. Waits for the
 * database as long as it takes; `close` withdraws the node.
 */
export async function takePlace(ctx: SystemContext, node: NodeIdentity, signal: AbortSignal): Promise<Place> {
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
  const steadiness = new Steadiness(ctx.clock);
  const announcing = every(announceMs[node.role], 'node heartbeat', ctx.log, () =>
    steadiness.note(() => announceNode(ctx, node)),
  );
  return {
    steadyMs: () => steadiness.ms,
    async close() {
      await announcing.close();
      await withdrawNode(ctx, node.id);
    },
  };
}

/** Since when every call was answered soon. */
export class Steadiness {
  readonly #clock: Clock;
  #since: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get ms(): number {
    return this.#since === null ? 0 : this.#clock.monotonic() - this.#since;
  }

  async note(work: () => Promise<void>): Promise<void> {
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
