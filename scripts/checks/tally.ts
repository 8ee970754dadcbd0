import { readFileSync } from 'node:fs';
import { wholeFile, withoutReason, type FileTime, type Report, type TestResult } from './report';

/** One failed check or test. */
export interface Failure {
  readonly name: string;
  readonly reason: string;
  /** How to run the test alone; null for a check that is not a test. */
  readonly rerun: Rerun | null;
}

/** How to run one test again. */
export interface Rerun {
  readonly runner: Runner;
  /** Arguments that select this test. */
  readonly selection: readonly string[];
}

export type Runner = 'vitest' | 'playwright';

/** The results of checks and tests. */
export interface Tally {
  /** Number of passed checks and tests. */
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** Skipped tests with reasons. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** Tests that failed in the run and passed alone. */
  readonly unstable: readonly string[];
  /** Test files with the time that they took. */
  readonly files: readonly FileTime[];
}

export const emptyTally: Tally = { passed: 0, failures: [], skipped: [], unstable: [], files: [] };

export function addTallies(...tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    failures: tallies.flatMap(({ failures }) => failures),
    skipped: tallies.flatMap(({ skipped }) => skipped),
    unstable: tallies.flatMap(({ unstable }) => unstable),
    files: tallies.flatMap(({ files }) => files),
  };
}

/** The result of a single check. */
export function singleTally(hasPassed: boolean, name: string, reason = ''): Tally {
  return hasPassed
    ? { ...emptyTally, passed: 1 }
    : { ...emptyTally, failures: [{ name, reason, rerun: null }] };
}

/** Maximum number of unstable tests in a green run. */
const MAX_UNSTABLE_TESTS = 3;

/**
 * The final result, in which each unstable test counts as passed or failed.
 * @param isStrict whether skipped and unstable tests are failures, as in `npm run test:full`
 */
export function withVerdict(tally: Tally, isStrict: boolean): Tally {
  const { skipped, unstable } = tally;
  const asFailure = (name: string, reason: string): Failure => ({ name, reason, rerun: null });
  const tooMany = isStrict || unstable.length > MAX_UNSTABLE_TESTS;
  return {
    ...tally,
    skipped: isStrict ? [] : skipped,
    passed: tally.passed + (tooMany ? 0 : unstable.length),
    failures: [
      ...tally.failures,
      ...(isStrict ? skipped.map(({ name, reason }) => asFailure(name, `skipped: ${reason}`)) : []),
      ...(tooMany ? unstable.map((name) => asFailure(name, 'failed beside other tests, passed alone')) : []),
    ],
  };
}

const MAX_LINES_PER_FAILURE = 12;
const MAX_SLOWEST_FILES = 10;

/**
 * The last lines of a run: skipped and unstable tests, the slowest files, each failure by name, for logs that are truncated
 * at the start, then the totals.
 * @param usedTime time of the run, such as "wall 9 min 12 s"
 */
export function formatSummary(
  { passed: passedCount, failures, skipped, unstable, files }: Tally,
  usedTime?: string,
): string {
  const failedNames = failures.map(({ name, reason }) => {
    const lines = `${name}\n${reason}`.trimEnd().split('\n');
    return `✗ ${lines.slice(0, MAX_LINES_PER_FAILURE).join('\n    ')}`;
  });
  return [
    ...skipped.map(({ name, reason }) => `- skipped: ${name}: ${reason}`),
    ...slowestOf(files),
    ...unstable.map((name) => `unstable: ${name}`),
    ...failedNames,
    ...(usedTime ? [usedTime] : []),
    `${passedCount} passed, ${failures.length} failed, ${skipped.length} skipped`,
  ].join('\n');
}

function slowestOf(files: readonly FileTime[]): string[] {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, MAX_SLOWEST_FILES);
  if (slowest.length === 0) return [];
  return [
    'The slowest files:',
    ...slowest.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${file}`),
  ];
}

const unexplainedSkip = 'skipped without a reason';

/** Whether the only test that was selected passed. The other tests of its file are skipped without a reason. */
export const passedAlone = ({ passed, failures }: Tally): boolean =>
  passed > 0 && failures.every(({ reason }) => reason === unexplainedSkip);

/** The tally of a report. A skipped test without a reason counts as a failure. */
export function tallyOfReport({ tests, files, errors }: Report, runner: Runner): Tally {
  const labelOf = ({ file, name }: TestResult) => `${file}: ${name}`;
  // A hook that fails skips the tests after it, and is reported as the failure.
  const brokenFiles = new Set(tests.filter(({ name }) => name === wholeFile).map(({ file }) => file));
  const failures = tests.flatMap((test): Failure[] => {
    const { file, state, reason, selection } = test;
    if (state === 'failed')
      return [{ name: labelOf(test), reason: reason ?? '', rerun: { runner, selection } }];
    if (state === 'skipped' && !reason && !brokenFiles.has(file))
      return [{ name: labelOf(test), reason: unexplainedSkip, rerun: null }];
    return [];
  });
  return {
    passed: tests.filter(({ state }) => state === 'passed').length,
    failures: [
      ...failures,
      ...errors.map((error) => ({ name: `${runner}, outside of tests`, reason: error, rerun: null })),
    ],
    skipped: tests.flatMap((test) =>
      test.state === 'skipped' && test.reason
        ? [{ name: withoutReason(labelOf(test), test.reason), reason: test.reason }]
        : [],
    ),
    unstable: [],
    files,
  };
}

/**
 * Reads the report of a test runner. A failed run without a failed test, or without a report, counts as one failure.
 * @param file path of the report
 * @param hasPassed whether the runner exited with code 0
 * @param name name of that failure
 */
export function readTally(file: string, runner: Runner, hasPassed: boolean, name: string): Tally {
  let tally: Tally;
  try {
    tally = tallyOfReport(JSON.parse(readFileSync(file, 'utf8')) as Report, runner);
  } catch {
    return singleTally(false, `${name}: no report`);
  }
  return !hasPassed && tally.failures.length === 0 ? addTallies(tally, singleTally(false, name)) : tally;
}
