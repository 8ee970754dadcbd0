import { readFileSync } from 'node:fs';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

const nothing: Tally = { passed: 0, failed: 0 };

export function add(...tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
    nothing,
  );
}

/** The last line of every run. */
export function summary({ passed, failed }: Tally): string {
  return `${passed} passed, ${failed} failed`;
}

/** A check that either holds or does not. */
export function one(ok: boolean): Tally {
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/** Counts single tests; a file that could not even be loaded is one failure. */
export function tallyOfVitest(report: VitestReport): Tally {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly errors: readonly unknown[];
}

/** A test that passes only when repeated has failed. */
export function tallyOfPlaywright({ stats, errors }: PlaywrightReport): Tally {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length };
}

/** What a test runner wrote; a run that failed without naming a test, or wrote nothing, is one failure. */
export function readTally(file: string, count: (report: never) => Tally, ok: boolean): Tally {
  let tally: Tally;
  try {
    tally = count(JSON.parse(readFileSync(file, 'utf8')) as never);
  } catch {
    return one(false);
  }
  return !ok && tally.failed === 0 ? add(tally, one(false)) : tally;
}
