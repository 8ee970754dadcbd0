/**
 * Lanes in which tasks wait for a slot. `transfer`: the task exchanges files with remote servers, at their speed. `local`:
 * the task reads and writes local files (uploads, recordings, completed downloads). `encode`: the task encodes video or
 * recognises speech.
 */
export const taskLanes = ['transfer', 'local', 'encode'] as const;
export type TaskLane = (typeof taskLanes)[number];

/** Maximum number of running tasks of one team in one lane. */
const MAX_PER_TEAM = 5;
/** Slots of one process for transfers, which mostly wait for a remote server and need only a socket and a buffer. */
const TRANSFER_SLOTS = 32;

/** The lane of a task, by its type and its parameters as stored in its row. */
export function chooseTaskLane(type: string, params: Readonly<Record<string, unknown>>): TaskLane {
  if (type === 'transcode' || type === 'transcribe') return 'encode';
  if (type === 'export') return 'transfer';
  const { import: source } = params;
  return typeof source === 'object' && source !== null && 'url' in source ? 'transfer' : 'local';
}

/**
 * Parses the lane of a row.
 * @throws Error for an unknown lane
 */
export function parseTaskLane(text: string): TaskLane {
  const lane = taskLanes.find((laneName) => laneName === text);
  if (!lane) throw new Error(`unknown task lane: ${text}`);
  return lane;
}

/** Number of slots of one process in each lane, on a machine with a number of cores. */
export function laneSlots(cores: number): Readonly<Record<TaskLane, number>> {
  return {
    transfer: TRANSFER_SLOTS,
    // Repackaging waits for the disk more than for a core. One more slot is left for other teams.
    local: Math.max(2, cores) + 1,
    encode: Math.max(1, Math.floor(cores / 2)),
  };
}

/**
 * Number of priorities for each position of a task in its team. Smaller numbers run first; BullMQ allows numbers
 * up to 2^21.
 */
const PRIORITIES_PER_POSITION = 2 ** 18;
/**
 * Number of priorities for each doubling of the usage: teams whose usage differs by at least 0.02 % have different priorities,
 * up to a usage of 2^64.
 */
const STEPS_PER_DOUBLING = 4_096;

/**
 * The priority of the job of a task. The first task of each team comes before the second tasks, and among these the task of
 * the team with the lowest recent usage of encoders. Jobs with the same priority run in the order in which they were added.
 * `position` is that of the task among the running and due tasks of its team in the lane, counted from 1. `recentUsage` may
 * have any unit.
 */
export function taskPriorityOf({
  position,
  recentUsage,
}: {
  readonly position: number;
  readonly recentUsage: number;
}): number {
  const usageStep = Math.floor(Math.log2(1 + recentUsage) * STEPS_PER_DOUBLING);
  return (
    1 +
    (Math.min(position, MAX_PER_TEAM) - 1) * PRIORITIES_PER_POSITION +
    Math.min(usageStep, PRIORITIES_PER_POSITION - 1)
  );
}

/** Maximum number of slots of a lane for one team. If a lane has several slots, one is left for other teams. */
export function slotsPerTeam(slots: number): number {
  return Math.max(1, Math.min(MAX_PER_TEAM, slots - 1));
}
