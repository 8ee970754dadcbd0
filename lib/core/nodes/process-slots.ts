/** Roles of which one machine can run several processes. Each has a slot, from 1. */
export const groupRoles = ['web', 'origin', 'live'] as const;
export type GroupRole = (typeof groupRoles)[number];

/** How many processes of each of these roles a machine runs. */
export type ProcessCounts = Readonly<Record<GroupRole, number>>;

/** Each holds all pages in memory, and requests are short: more would not be busy. */
const maxDefaultWeb = 4;

/** Half of the cores are left to renditions, PostgreSQL and background work. */
export function defaultProcesses(cores: number): ProcessCounts {
  const quarter = Math.max(1, Math.floor(cores / 4));
  return { web: Math.min(maxDefaultWeb, quarter), origin: quarter, live: quarter };
}

/** Further processes than one of each role. */
export const extraProcesses = (counts: ProcessCounts): number =>
  groupRoles.reduce((sum, role) => sum + counts[role] - 1, 0);

/** Name of a process in logs and in its own files. Slot 1 has the name of a single process. */
export const processName = (role: string, slot: number): string => (slot === 1 ? role : `${role}-${slot}`);

/** Names of all processes of a role, by slot. */
export const processNames = (role: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => processName(role, index + 1));

interface InternalProcess {
  readonly role: 'live' | 'origin' | 'jobs' | 'rtc';
  readonly slot: number;
}

/** Which port after INTERNAL_PORT is a process's: live, jobs, then further live processes, the origins, and rtc. */
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

/** Slot of the origin process that keeps an upload: the same for all of its requests. @param id starts with a UUID */
export const uploadSlot = (id: string, origins: number): number =>
  (parseInt(id.slice(0, 8), 16) % origins) + 1;
