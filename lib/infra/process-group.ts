import cluster, { type Worker } from 'node:cluster';
import { processName, type GroupRole } from '@/lib/core/nodes/process-slots';
import type { Settings } from './env';
import type { Logger } from './logger';
import { GroupChannel } from './metrics/group-channel';
import { superviseProcess } from './supervised-process';
import { markReady } from './supervisor-channel';

/** Liveness limits, equal to those of the supervisor's processes (scripts/service/roles.ts). */
const livenessLimits = { silenceTimeoutMs: 15_000, startTimeoutMs: 60_000 };

/** Whether this process is the one that starts the processes of its role. */
export function startsGroup(role: GroupRole, { processes }: Pick<Settings, 'processes'>): boolean {
  return processes[role] > 1 && cluster.isPrimary;
}

/**
 * Runs several processes of one role on the same ports. This process passes each connection to one of them in turn,
 * restarts processes that exit or do not respond, is ready when all of them are, and forwards SIGTERM. If it is killed,
 * their IPC channel closes and they exit.
 */
export function runProcessGroup(role: GroupRole, count: number, log: Pick<Logger, 'warn'>): void {
  const slotsNotReady = new Set<number>();
  const channel = new GroupChannel();
  const startMember = (slot: number) => {
    slotsNotReady.add(slot);
    const onReady = () => {
      if (slotsNotReady.delete(slot) && slotsNotReady.size === 0) markReady();
    };
    const spec = {
      name: processName(role, slot),
      start: () => startWorker(slot, channel).process,
      stopSignal: 'SIGTERM',
      liveness: livenessLimits,
      onReady,
    } as const;
    return superviseProcess(spec, (line) => log.warn(line));
  };
  const members = Array.from({ length: count }, (_, index) => startMember(index + 1));

  let isStopping = false;
  const stop = () => {
    // A second signal stops the group immediately.
    if (isStopping) {
      for (const member of members) member.kill();
      process.exit(1);
    }
    isStopping = true;
    void Promise.all(members.map((member) => member.stop())).then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function startWorker(slot: number, channel: GroupChannel): Worker {
  const worker = cluster.fork({ PROCESS_SLOT: String(slot) });
  channel.add(slot, worker);
  // Without a listener, the error would end this process. The exit event reports the end of the worker.
  worker.on('error', () => undefined);
  closeUnacceptedConnection(worker.process);
  return worker;
}

/** Closes the connection that a process had received but not accepted when it died, because no other process would close it. */
function closeUnacceptedConnection(child: Worker['process']): void {
  let handle: { close(): void } | undefined;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    if (isHandle(args[1])) handle = args[1];
    return send(...args);
  };
  // An accepted connection is already closed on this side, so closing it again has no effect.
  child.once('exit', () => handle?.close());
}

const isHandle = (value: unknown): value is { close(): void } =>
  typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
