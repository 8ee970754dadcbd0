import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/domain/context';
import { processName } from '@/lib/core/nodes/process-slots';
import type { Clock } from '@/lib/infra/clock';
import { loadMachineId } from '@/lib/infra/machine-id';
import { CpuMeter } from '@/lib/infra/machine-load';
import { readDiskBytes } from '@/lib/infra/storage/disk-space';
import { registerNode, unregisterNode, type NodeIdentity, type NodeVitals } from '@/lib/domain/nodes';
import { releaseStreamsOfNode } from '@/lib/domain/streams';
import { runPeriodically } from './run-periodically';
import { saveProcessRecord } from './predecessor';

export interface Presence {
  /** Milliseconds for which every periodic heartbeat has succeeded in time. */
  steadyMs(): number;
  /** Sends a heartbeat immediately. It does not affect `steadyMs`. */
  sendHeartbeat(): Promise<void>;
  /** Ends the heartbeats and unregisters the node. */
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

/** The state that a live node sends with its heartbeats, and the drain flag that it receives. */
interface LiveNode {
  readonly streamCount: number;
  /** Number of additional streams that the node can take; null if unknown. */
  readonly roomStreams: number | null;
  /** Why the node rejects new streams for lack of capacity; null while it accepts them. */
  readonly fullReason: string | null;
  /** Whether the process ends when its streams have ended or moved. */
  readonly stopping: boolean;
  /**
   * Applies the drain flag.
   * @param drainRequested whether the node must drain
   */
  applyDrainFlag(drainRequested: boolean): void;
}

/** The process to register. `live` only for a live node. */
interface RegisteredProcess extends Omit<NodeIdentity, 'machineId'> {
  readonly live?: LiveNode;
}

/**
 * Registers this process as a node and keeps it registered with heartbeats. Before, the predecessor, which used the same
 * DATA_DIR, role and slot, is unregistered and its streams are marked idle. Repeats this until the database responds. If
 * `signal` aborts first, the process is not registered yet, and the heartbeats register it unless `close` follows.
 */
export async function registerProcess(
  ctx: SystemContext,
  { live, ...identity }: RegisteredProcess,
  signal: AbortSignal,
): Promise<Presence> {
  // The slot is the index of this process among those of its role, from 1.
  const { dataDir, slot } = ctx.settings;
  const machineId = await loadMachineId(dataDir).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'machine ID neither loaded nor saved');
    return null;
  });
  const node = { ...identity, machineId };
  const cpu = new CpuMeter();
  const sendHeartbeat = async () => {
    const machine = await measureMachine(ctx, cpu);
    const { streamCount = null, roomStreams = null, fullReason = null, stopping = false } = live ?? {};
    const nodeState = { streamCount, roomStreams, fullReason, stopping };
    const drainRequested = await registerNode(ctx, node, { ...machine, ...nodeState });
    live?.applyDrainFlag(drainRequested);
  };
  const predecessorId = await saveProcessRecord(
    { dataDir, name: processName(node.role, slot), nodeId: node.id, url: node.url },
    ctx.log,
  );
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      if (predecessorId) {
        const releasedCount = await releaseStreamsOfNode(ctx, predecessorId);
        if (releasedCount > 0)
          ctx.log.warn({ released: releasedCount }, "marked the previous process's streams idle");
        await unregisterNode(ctx, predecessorId);
      }
      await sendHeartbeat();
      break;
    } catch (error) {
      if (attempt === 1) ctx.log.warn({ err: error }, 'waiting for the database');
      await delay(START_RETRY_DELAY_MS);
    }
  }
  const steadyPeriod = new SteadyPeriod(ctx.clock);
  const heartbeatTimer = runPeriodically(heartbeatIntervalsMs[node.role], 'node heartbeat', ctx.log, () =>
    steadyPeriod.measure(sendHeartbeat),
  );
  return {
    steadyMs: () => steadyPeriod.steadyMs,
    sendHeartbeat,
    async close() {
      await heartbeatTimer.close();
      await unregisterNode(ctx, node.id);
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

/** Measures the current period in which every call has succeeded in time. */
export class SteadyPeriod {
  readonly #clock: Clock;
  #sinceMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since the start of the first call of the period; 0 after a failed or slow call. */
  get steadyMs(): number {
    return this.#sinceMs === null ? 0 : this.#clock.monotonic() - this.#sinceMs;
  }

  /**
   * Runs a call. A failed call, or one that takes longer than `SLOW_RESPONSE_MS`, ends the period.
   * @throws the error of the call
   */
  async measure(work: () => Promise<void>): Promise<void> {
    const startedAtMs = this.#clock.monotonic();
    try {
      await work();
      this.#sinceMs ??= startedAtMs;
      if (this.#clock.monotonic() - startedAtMs > SLOW_RESPONSE_MS) this.#sinceMs = null;
    } catch (error) {
      this.#sinceMs = null;
      throw error;
    }
  }
}
