/**
 * Lanes in which tasks wait for a slot. `transfer`: transfers with remote servers, at their speed. `local`: reads and
 * writes local files (uploads, recordings, completed downloads). `encode`: encodes video or recognises speech.
 */
export const taskLanes = ['transfer', 'local', 'encode'] as const;
export type TaskLane = (typeof taskLanes)[number];

/** Maximum number of running tasks of one team in one lane. */
const maxPerTeam = 5;
/** A transfer mostly waits for a remote server: it needs a socket and a buffer. */
const transfers = 32;

export function laneOf(type: string, params: Readonly<Record<string, unknown>>): TaskLane {
  if (type === 'transcode' || type === 'transcribe') return 'encode';
  if (type === 'export') return 'transfer';
  const { import: source } = params;
  return typeof source === 'object' && source !== null && 'url' in source ? 'transfer' : 'local';
}

/** Parses the lane of a row. @throws Error for unknown text */
export function taskLaneOf(text: string): TaskLane {
  const lane = taskLanes.find((laneName) => laneName === text);
  if (!lane) throw new Error(`unknown task lane: ${text}`);
  return lane;
}

/** Slots of one process in each lane, on a machine with this many cores. */
export function laneSlots(cores: number): Readonly<Record<TaskLane, number>> {
  return {
    transfer: transfers,
    // Repackaging waits for the disk more than for a core, and one slot is reserved for other teams.
    local: Math.max(2, cores) + 1,
    encode: Math.max(1, Math.floor(cores / 2)),
  };
}

/** Smaller numbers run first; BullMQ allows up to 2^21. */
const prioritiesPerPosition = 2 ** 18;
/** Teams whose usage differs by less than a thousandth get the same priority. */
const stepsPerDoubling = 4_096;

/**
 * The priority of a job: the first task of each team comes first, and among these the team with the least recent
 * encoding. Jobs of one priority run in the order they were added.
 * @param position of the task among its team's running and due tasks in the lane, counted from 1
 */
export function priorityOf({ position, used }: { readonly position: number; readonly used: number }): number {
  const share = Math.floor(Math.log2(1 + used) * stepsPerDoubling);
  return (
    1 +
    (Math.min(position, maxPerTeam) - 1) * prioritiesPerPosition +
    Math.min(share, prioritiesPerPosition - 1)
  );
}

/** Maximum number of a lane's slots for one team: not all, if there are several. */
export function slotsPerTeam(slots: number): number {
  return Math.max(1, Math.min(maxPerTeam, slots - 1));
}
