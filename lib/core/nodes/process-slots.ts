/** Roles of which a machine can run several processes. Each process has a slot, from 1. */
export const groupRoles = ['web', 'origin', 'live'] as const;
export type GroupRole = (typeof groupRoles)[number];

/** Number of processes of each of these roles on a machine. */
export type ProcessCounts = Readonly<Record<GroupRole, number>>;

/** Each web process holds all pages in memory, and requests are short: more processes would be idle. */
const maxDefaultWeb = 4;

/** Half of the cores remain for renditions, PostgreSQL and background work. */
export function defaultProcesses(cores: number): ProcessCounts {
  const quarter = Math.max(1, Math.floor(cores / 4));
  return { web: Math.min(maxDefaultWeb, quarter), origin: quarter, live: quarter };
}

/** Number of processes beyond one of each role. */
export const extraProcesses = (counts: ProcessCounts): number =>
  groupRoles.reduce((sum, role) => sum + counts[role] - 1, 0);

/** Name of a process in logs and in its files. Slot 1 has no number in its name. */
export const processName = (role: string, slot: number): string => (slot === 1 ? role : `${role}-${slot}`);

/** Names of all processes of a role, by slot. */
export const processNames = (role: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => processName(role, index + 1));

interface InternalProcess {
  readonly role: 'live' | 'origin' | 'jobs' | 'rtc';
  readonly slot: number;
}

/** Offset of a process's port from INTERNAL_PORT: live, jobs, further live processes, the origins, rtc. */
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

/** Slot of the origin process that keeps an upload, equal for all of its requests. @param id starts with a UUID */
export const uploadSlot = (id: string, origins: number): number =>
  (parseInt(id.slice(0, 8), 16) % origins) + 1;
