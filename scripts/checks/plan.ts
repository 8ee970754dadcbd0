import { add, singleTally, type Tally } from './tally';

/** One step of a run of all checks. */
export interface Part {
  readonly name: string;
  /** Earlier parts that must end first, passed or failed. */
  readonly after: readonly string[];
  /** Number of its busy workers; default: 1. */
  readonly workers?: number;
  /** Parts with the same value do not run concurrently. */
  readonly apart?: string;
  /** @throws Error if the parts that depend on it cannot run */
  run(): Promise<Tally>;
}

/**
 * Runs every part as soon as its dependencies have ended and enough workers are free, in the given order.
 *
 * @param budget total number of busy workers; a part with more runs alone
 */
export async function runPlan(parts: readonly Part[], budget: number): Promise<Tally> {
  const waiting = [...parts];
  const active = new Set<Part>();
  const brokenParts = new Set<string>();
  const tallies: Tally[] = [];
  const knownParts = new Set<string>();
  for (const { name, after } of parts) {
    for (const dependency of after.filter((each) => !knownParts.has(each))) {
      tallies.push(singleTally(false, name, `${dependency} is not planned before it`));
      waiting.splice(
        waiting.findIndex((part) => part.name === name),
        1,
      );
    }
    knownParts.add(name);
  }
  await new Promise<void>((resolve) => {
    const isOpen = (name: string) => [...waiting, ...active].some((part) => part.name === name);
    const fits = ({ workers = 1, apart }: Part) => {
      const usedWorkers = [...active].reduce((sum, part) => sum + (part.workers ?? 1), 0);
      if (apart && [...active].some((part) => part.apart === apart)) return false;
      return usedWorkers + workers <= budget || usedWorkers === 0;
    };
    const begin = (part: Part) => {
      active.add(part);
      void outcome(part, brokenParts).then((tally) => {
        tallies.push(tally);
        active.delete(part);
        next();
      });
    };
    const next = () => {
      for (const part of [...waiting]) {
        if (part.after.some(isOpen) || !fits(part)) continue;
        waiting.splice(waiting.indexOf(part), 1);
        begin(part);
      }
      if (active.size === 0) resolve();
    };
    next();
  });
  return add(...tallies);
}

/** @param brokenParts names of the parts that others cannot depend on */
async function outcome(part: Part, brokenParts: Set<string>): Promise<Tally> {
  const missing = part.after.find((name) => brokenParts.has(name));
  try {
    if (missing) throw new Error(`not run, because ${missing} failed`);
    return await part.run();
  } catch (error) {
    brokenParts.add(part.name);
    return singleTally(false, part.name, error instanceof Error ? error.message : String(error));
  }
}
