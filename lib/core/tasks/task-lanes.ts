/**
 * Where tasks wait for a place. `transfer`: bytes go to or come from other people's servers, at their speed.
 * `local`: files of ours are read and written: uploads, recordings, and what a transfer has brought.
 * `encode`: pictures are encoded.
 */
export const taskLanes = ['transfer', 'local', 'encode'] as const;
export type TaskLane = (typeof taskLanes)[number];

/** Of one account at the same moment in one lane. */
const mostOfAccount = 5;
/** A transfer waits for another server nearly all the time: it costs a socket and a buffer. */
const transfers = 32;

/** The lane that a new task waits in. */
export function laneOf(type: string, params: Readonly<Record<string, unknown>>): TaskLane {
  if (type === 'transcode') return 'encode';
  if (type === 'export') return 'transfer';
  const { import: source } = params;
  return typeof source === 'object' && source !== null && 'url' in source ? 'transfer' : 'local';
}

/** The lane that a row holds. @throws Error when it holds another text */
export function taskLaneOf(text: string): TaskLane {
  const lane = taskLanes.find((known) => known === text);
  if (!lane) throw new Error(`A task is in the unknown lane ${text}`);
  return lane;
}

/** Slots of one process in each lane, on a machine with this many cores. */
export function lanePlaces(cores: number): Readonly<Record<TaskLane, number>> {
  return {
    transfer: transfers,
    // Repackaging waits for the disk more than for a core, and one place is kept for other accounts.
    local: Math.max(2, cores) + 1,
    encode: Math.max(1, Math.floor(cores / 2)),
  };
}

/** A smaller number runs first; BullMQ knows them up to 2^21. */
const prioritiesOfPlace = 2 ** 18;
/** Of a doubling: accounts that differ by less than a thousandth got the same. */
const stepsOfDoubling = 4_096;

/**
 * The priority of a job: first the first of each account, and among these that of the account that got the least encoding
 * lately. Jobs of one priority run in the order they were added.
 * @param place of the task among those of its account that run or may begin in the lane, counted from 1
 */
export function priorityOf({ place, used }: { readonly place: number; readonly used: number }): number {
  const share = Math.floor(Math.log2(1 + used) * stepsOfDoubling);
  return (
    1 + (Math.min(place, mostOfAccount) - 1) * prioritiesOfPlace + Math.min(share, prioritiesOfPlace - 1)
  );
}

/** How many of a lane's places one account may have: never all of them, where there is more than one. */
export function placesOfAccount(places: number): number {
  return Math.max(1, Math.min(mostOfAccount, places - 1));
}
