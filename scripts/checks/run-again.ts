import type { Rerun, Failure, Tally } from './tally';

/** Maximum number of failed tests that are run again. More failures probably have a common cause. */
const MAX_REPEATED_TESTS = 20;

/**
 * Runs each failed test again, one after the other. A test that then passes is unstable instead of failed; `withVerdict`
 * decides whether unstable tests fail the run.
 * @param runAlone runs one test without others; resolves to whether it passed
 * @returns the tally with the results of these runs
 */
export async function runFailedAgain(
  tally: Tally,
  runAlone: (rerun: Rerun) => Promise<boolean>,
): Promise<Tally> {
  const failedTests = tally.failures.filter(({ rerun }) => rerun !== null);
  if (failedTests.length === 0 || failedTests.length > MAX_REPEATED_TESTS) return tally;
  const failures: Failure[] = [];
  const unstable: string[] = [];
  for (const failure of tally.failures) {
    if (failure.rerun && (await runAlone(failure.rerun))) unstable.push(failure.name);
    else failures.push(failure);
  }
  return { ...tally, failures, unstable: [...tally.unstable, ...unstable] };
}
