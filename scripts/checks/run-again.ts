import type { Rerun, Failure, Tally } from './tally';

/** More failures than this have a common cause, which running each test alone does not reveal. */
const mostRunAgain = 20;

/**
 * Runs each failed test alone, one after the other, when nothing else uses the machine. A test that passes then is
 * unstable: it is printed, and up to three of them keep the run green (`withVerdict`).
 * @param runAlone
 * @returns whether the test passed
 */
export async function runFailedAgain(
  tally: Tally,
  runAlone: (again: Rerun) => Promise<boolean>,
): Promise<Tally> {
  const tests = tally.failures.filter(({ again }) => again !== null);
  if (tests.length === 0 || tests.length > mostRunAgain) return tally;
  const failures: Failure[] = [];
  const unstable: string[] = [];
  for (const failure of tally.failures) {
    if (failure.again && (await runAlone(failure.again))) unstable.push(failure.name);
    else failures.push(failure);
  }
  return { ...tally, failures, unstable: [...tally.unstable, ...unstable] };
}
