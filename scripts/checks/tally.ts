import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

export interface Tally {
  readonly passed: number;
  /** Name and output of each failed check. */
  readonly failures: readonly string[];
}

export function add(...tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    failures: tallies.flatMap(({ failures }) => failures),
  };
}

/** The last lines of a run: each failure by name, for logs that are truncated at the start, then the totals. */
export function summary({ passed, failures }: Tally): string {
  const named = failures.map((failure) => `✗ ${failure.split('\n').slice(0, linesOfFailure).join('\n    ')}`);
  return [...named, `${passed} passed, ${failures.length} failed`].join('\n');
}

const linesOfFailure = 12;

export const none: Tally = { passed: 0, failures: [] };

/** The result of a single check. */
export function one(ok: boolean, name: string): Tally {
  return ok ? { passed: 1, failures: [] } : { passed: 0, failures: [name] };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly name: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

/** Counts tests. A file that could not be loaded counts as one failure. */
export function tallyOfVitest(report: VitestReport): Tally {
  const failures = report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    if (file.status === 'failed' && failed.length === 0) return [`${file.name}\n${file.message ?? ''}`];
    return failed.map((test) => `${file.name}: ${test.fullName}\n${test.failureMessages?.join('\n') ?? ''}`);
  });
  return { passed: report.numPassedTests, failures };
}

interface PlaywrightSuite {
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly results: readonly { readonly error?: PlaywrightError }[];
    }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightError {
  readonly message?: string;
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number };
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly PlaywrightError[];
}

/** Counts tests. A flaky test counts as failed. */
export function tallyOfPlaywright({ stats, suites, errors }: PlaywrightReport): Tally {
  const failures = suites.flatMap(failuresOfSuite);
  return {
    passed: stats.expected,
    failures: [...failures, ...errors.map((error) => error.message ?? 'end to end')],
  };
}

function failuresOfSuite({ specs = [], suites = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => {
        const message = results.find(({ error }) => error)?.error?.message ?? '';
        return `${file}:${line} ${title}\n${stripVTControlCharacters(message)}`;
      }),
  );
  return [...own, ...suites.flatMap(failuresOfSuite)];
}

/** Reads the report of a test runner. A failed run without a failed test, or without a report, counts as one failure. */
export function readTally(file: string, count: (report: never) => Tally, ok: boolean, name: string): Tally {
  let tally: Tally;
  try {
    tally = count(JSON.parse(readFileSync(file, 'utf8')) as never);
  } catch {
    return one(false, `${name}: no report`);
  }
  return !ok && tally.failures.length === 0 ? add(tally, one(false, name)) : tally;
}
