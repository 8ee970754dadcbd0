import { add, singleTally, type Tally } from './tally';

/** One step of a run of all checks. */
export interface Part {
  readonly name: string;
  /** Earlier parts that must end first, passed or failed. */
  readonly after: readonly string[];
  /** Busy workers that it has; 1 if left out. */
  readonly workers?: number;
  /** Parts with the same word do not run at once. */
  readonly apart?: string;
  /** @throws Error if the parts that depend on it cannot run */
  run(): Promise<Tally>;
}

/**
 * Runs every part as soon as its dependencies have ended and there are workers for it, in the order given.
 * @param budget busy workers in all; a part that has more runs alone
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

/** @param broken names of the parts that others cannot depend on */
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
