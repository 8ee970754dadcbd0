import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/domain/context';
import { processName } from '@/lib/core/nodes/process-slots';
import type { Clock } from '@/lib/infra/clock';
import { loadMachineId } from '@/lib/infra/machine-id';
import { CpuMeter } from '@/lib/infra/machine-load';
import { readDiskBytes } from '@/lib/infra/storage/disk-space';
import { announceNode, withdrawNode, type NodeIdentity, type NodeVitals } from '@/lib/domain/nodes';
import { releaseNode } from '@/lib/domain/streams';
import { runPeriodically } from './every';
import { replacePredecessor } from './predecessor';

export interface Presence {
  /** Milliseconds for which the database has responded to every heartbeat in time. */
  steadyMs(): number;
  /** Sends a heartbeat immediately. */
  announce(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Intervals of heartbeats. A live node sends five within the 10 s after which it counts as dead. Other roles are
 * checked over HTTP by their callers.
 */
const heartbeatIntervalsMs = { live: 2_000, origin: 5_000, jobs: 5_000 } as const;
const START_RETRY_DELAY_MS = 500;
/** A heartbeat that takes longer counts as an outage of the database. */
const SLOW_RESPONSE_MS = 3_000;

/** The state that a live node sends with its heartbeats, and the commands it receives. */
interface LiveNode {
  readonly streamCount: number;
  readonly roomStreams: number | null;
  readonly fullReason: string | null;
  /** Whether the process ends when its streams have ended or moved. */
  readonly stopping: boolean;
  /**
   * Applies the drain flag.
   * @param isRequested whether the node must drain
   */
  follow(isRequested: boolean): void;
}

interface AnnouncedNode extends Omit<NodeIdentity, 'machineId'> {
  readonly live?: LiveNode;
}

/**
 * Registers this process as a node, after marking the streams of its predecessor idle. Waits for the database
 * until `signal` aborts. `close` removes the node.
 */
export async function announcePresence(
  ctx: SystemContext,
  { live, ...process }: AnnouncedNode,
  signal: AbortSignal,
): Promise<Presence> {
  const { dataDir, slot } = ctx.settings;
  const machineId = await loadMachineId(dataDir).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'machine ID not saved');
    return null;
  });
  const node = { ...process, machineId };
  const cpu = new CpuMeter();
  const announce = async () => {
    const machine = await measureMachine(ctx, cpu);
    const { streamCount = null, roomStreams = null, fullReason = null, stopping = false } = live ?? {};
    const nodeState = { streamCount, roomStreams, fullReason, stopping };
    const requestedState = await announceNode(ctx, node, { ...machine, ...nodeState });
    live?.follow(requestedState);
  };
  const predecessor = await replacePredecessor(
    { dataDir, name: processName(node.role, slot), nodeId: node.id, url: node.url },
    ctx.log,
  );
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      if (predecessor) {
        const releasedCount = await releaseNode(ctx, predecessor);
        if (releasedCount > 0)
          ctx.log.warn({ released: releasedCount }, "marked the previous process's streams idle");
        await withdrawNode(ctx, predecessor);
      }
      await announce();
      break;
    } catch (error) {
      if (attempt === 1) ctx.log.warn({ err: error }, 'waiting for the database');
      await delay(START_RETRY_DELAY_MS);
    }
  }
  const uptime = new Uptime(ctx.clock);
  const heartbeatTimer = runPeriodically(heartbeatIntervalsMs[node.role], 'node heartbeat', ctx.log, () =>
    uptime.measure(announce),
  );
  return {
    steadyMs: () => uptime.ms,
    announce,
    async close() {
      await heartbeatTimer.close();
      await withdrawNode(ctx, node.id);
    },
  };
}

async function measureMachine(
  { settings, log }: SystemContext,
  cpu: CpuMeter,
): Promise<Pick<NodeVitals, 'cpuHeadroomRatio' | 'diskFreeBytes'>> {
  const diskFreeBytes = await readDiskBytes(settings.dataDir)
    .then(({ freeBytes }) => freeBytes)
    .catch((error: unknown) => {
      log.debug({ err: error }, 'free disk space not measured');
      return null;
    });
  return { cpuHeadroomRatio: cpu.idleRatio(), diskFreeBytes };
}

/** Measures for how long all calls have succeeded in time. */
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
    const startedAt = this.#clock.monotonic();
    try {
      await work();
      this.#since ??= startedAt;
      if (this.#clock.monotonic() - startedAt > SLOW_RESPONSE_MS) this.#since = null;
    } catch (error) {
      this.#since = null;
      throw error;
    }
  }
}
