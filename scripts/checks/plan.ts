import { add, one, type Tally } from './tally';

/** One of the things that a run of all checks does. */
export interface Part {
  readonly name: string;
  /** Parts listed before it that have to end first, whatever they found. */
  readonly after: readonly string[];
  /** @throws when nothing that comes after it can run */
  run(): Promise<Tally>;
}

/** Runs every part as soon as those before it have ended: parts that do not name each other run at the same time. */
export async function runPlan(parts: readonly Part[]): Promise<Tally> {
  const running = new Map<string, Promise<Tally>>();
  for (const part of parts) {
    const before = part.after.map((name) => ended(name, running.get(name)));
    running.set(
      part.name,
      Promise.all(before).then(() => part.run()),
    );
  }
  const found = [...running].map(([name, result]) =>
    result.catch((error: unknown) => one(false, `${name}\n${messageOf(error)}`)),
  );
  return add(...(await Promise.all(found)));
}

async function ended(name: string, running: Promise<Tally> | undefined): Promise<void> {
  if (!running) throw new Error(`${name} is not planned before it`);
  await running.catch(() => {
    throw new Error(`not run, because ${name} failed`);
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
