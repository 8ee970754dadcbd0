/** Roles of which a machine can run several processes. Each process has a slot, from 1. */
export const groupRoles = ['web', 'origin', 'live'] as const;
export type GroupRole = (typeof groupRoles)[number];

/** Number of processes of each role on a machine. */
export type ProcessCounts = Readonly<Record<GroupRole, number>>;

/** Default maximum number of web processes. Each holds all pages in memory, and their requests are short. */
const MAX_DEFAULT_WEB = 4;

/**
 * Default number of processes: one per four cores for each role, but at most `MAX_DEFAULT_WEB` web processes. The remaining
 * cores are for renditions, PostgreSQL and background work.
 */
export function defaultProcesses(cores: number): ProcessCounts {
  const processesPerRole = Math.max(1, Math.floor(cores / 4));
  return {
    web: Math.min(MAX_DEFAULT_WEB, processesPerRole),
    origin: processesPerRole,
    live: processesPerRole,
  };
}

/** Number of processes beyond one of each role. */
export const countExtraProcesses = (counts: ProcessCounts): number =>
  groupRoles.reduce((sum, role) => sum + counts[role] - 1, 0);

/** Name of a process in logs and in the names of its files. The name of slot 1 has no number. */
export const processName = (role: string, slot: number): string => (slot === 1 ? role : `${role}-${slot}`);

/** Names of all processes of a role, by slot. */
export const processNames = (role: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => processName(role, index + 1));

interface InternalProcess {
  readonly role: 'live' | 'origin' | 'jobs' | 'rtc';
  readonly slot: number;
}

/**
 * Offset of the port of a process from INTERNAL_PORT. The order is: the first live process, jobs, the other live processes,
 * the origins, rtc.
 */
export function internalPortOffset({ role, slot }: InternalProcess, counts: ProcessCounts): number {
  switch (role) {
    case 'jobs':
      return 1;
    case 'live':
      return slot === 1 ? 0 : slot;
    case 'origin':
      return counts.live + slot;
    case 'rtc':
      return counts.live + counts.origin + 1;
  }
}

/**
 * Slot of the origin process that stores an upload, equal for all requests of the upload.
 * @param id text that starts with a UUID
 * @param origins number of origin processes
 */
export const uploadSlotOf = (id: string, origins: number): number =>
  (parseInt(id.slice(0, 8), 16) % origins) + 1;
