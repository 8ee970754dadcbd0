import { addTallies, singleTally, type Tally } from './tally';

/** One step of a plan: checks that run in one go, or a preparation of later steps. */
export interface Part {
  readonly name: string;
  /** Names of earlier parts that must end before this part starts, whether they pass or fail. */
  readonly after: readonly string[];
  /** Number of CPU-bound workers of the part; default: 1. */
  readonly workers?: number;
  /** Name of a part that must not run at the same time. */
  readonly conflictsWith?: string;
  /**
   * Runs the part.
   * @throws Error if the parts that depend on it cannot run
   */
  run(): Promise<Tally>;
}

/**
 * Runs every part as soon as its dependencies have ended and enough workers are free, in the given order.
 * @param maxWorkers maximum number of workers that are busy at the same time; a part with more workers runs alone
 * @returns the sum of the results of all parts
 */
export async function runPlan(parts: readonly Part[], maxWorkers: number): Promise<Tally> {
  const waitingParts = [...parts];
  const active = new Set<Part>();
  const brokenParts = new Set<string>();
  const tallies: Tally[] = [];
  const knownParts = new Set<string>();
  for (const { name, after } of parts) {
    for (const dependency of after.filter((part) => !knownParts.has(part))) {
      tallies.push(singleTally(false, name, `${dependency} is not planned before it`));
      waitingParts.splice(
        waitingParts.findIndex((part) => part.name === name),
        1,
      );
    }
    knownParts.add(name);
  }
  await new Promise<void>((resolve) => {
    const isUnfinished = (name: string) => [...waitingParts, ...active].some((part) => part.name === name);
    const canStart = ({ name, workers = 1, conflictsWith }: Part) => {
      const usedWorkers = [...active].reduce((sum, part) => sum + (part.workers ?? 1), 0);
      if ([...active].some((part) => part.name === conflictsWith || part.conflictsWith === name))
        return false;
      return usedWorkers + workers <= maxWorkers || usedWorkers === 0;
    };
    const startPart = (part: Part) => {
      active.add(part);
      void runPart(part, brokenParts).then((tally) => {
        tallies.push(tally);
        active.delete(part);
        startReadyParts();
      });
    };
    const startReadyParts = () => {
      for (const part of [...waitingParts]) {
        if (part.after.some(isUnfinished) || !canStart(part)) continue;
        waitingParts.splice(waitingParts.indexOf(part), 1);
        startPart(part);
      }
      if (active.size === 0) resolve();
    };
    startReadyParts();
  });
  return addTallies(...tallies);
}

/**
 * Runs a part, unless one of its dependencies threw an error.
 * @param brokenParts names of the parts that threw an error; this function adds to them
 */
async function runPart(part: Part, brokenParts: Set<string>): Promise<Tally> {
  const brokenDependency = part.after.find((name) => brokenParts.has(name));
  try {
    if (brokenDependency) throw new Error(`not run, because ${brokenDependency} failed`);
    return await part.run();
  } catch (error) {
    brokenParts.add(part.name);
    return singleTally(false, part.name, error instanceof Error ? error.message : String(error));
  }
}
