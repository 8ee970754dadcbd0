import { add, one, type Tally } from './tally';

/** One step of a run of all checks. */
export interface Part {
  readonly name: string;
  /** Earlier parts that must end first, passed or failed. */
  readonly after: readonly string[];
  /** @throws Error if the parts that depend on it cannot run */
  run(): Promise<Tally>;
}

/** Runs every part as soon as its dependencies have ended. Independent parts run in parallel. */
export async function runPlan(parts: readonly Part[]): Promise<Tally> {
  const running = new Map<string, Promise<Tally>>();
  for (const part of parts) {
    const before = part.after.map((name) => ended(name, running.get(name)));
    running.set(
      part.name,
      Promise.all(before).then(() => part.run()),
    );
  }
  const results = [...running].map(([name, result]) =>
    result.catch((error: unknown) => one(false, `${name}\n${messageOf(error)}`)),
  );
  return add(...(await Promise.all(results)));
}

async function ended(name: string, running: Promise<Tally> | undefined): Promise<void> {
  if (!running) throw new Error(`${name} is not planned before it`);
  await running.catch(() => {
    throw new Error(`not run, because ${name} failed`);
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
