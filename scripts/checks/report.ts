import { writeFileSync } from 'node:fs';

/** The result of one test. */
export interface TestResult {
  /** Path relative to the root of the repository. */
  readonly file: string;
  /** Name with the names of the surrounding groups. */
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Arguments of the runner that select only this test. */
  readonly selection: readonly string[];
  /** Error message, or why the test was skipped. */
  readonly reason?: string;
}

/** Name for failures outside the tests of a file. */
export const wholeFile = 'the file itself';

/** The report of a test runner. */
export interface Report {
  readonly tests: readonly TestResult[];
  readonly files: readonly FileTime[];
  /** Failures outside of tests, such as a file that cannot be loaded. */
  readonly errors: readonly string[];
}

export interface FileTime {
  /** Path of a test file relative to the root of the repository. */
  readonly file: string;
  readonly ms: number;
}

/** Environment variable with the path to which a reporter writes its report. */
export const reportPathVariable = 'TEST_REPORT';
/** Environment variable with the path to which a reporter writes the names of the running tests. */
export const runningTestsVariable = 'TEST_RUNNING';

/**
 * Collects the results of a runner. Each change of the running tests is written to a file immediately, for the
 * watchdog's message when progress stops.
 */
export class ReportWriter {
  readonly #tests: TestResult[] = [];
  readonly #ms = new Map<string, number>();
  readonly #errors: string[] = [];
  readonly #running = new Set<string>();
  readonly #report = process.env[reportPathVariable];
  readonly #runningFile = process.env[runningTestsVariable];

  begin(name: string): void {
    this.#running.add(name);
    this.progress();
  }

  end(name: string): void {
    this.#running.delete(name);
    this.progress();
  }

  progress(): void {
    if (this.#runningFile) writeFileSync(this.#runningFile, [...this.#running].join('\n'));
  }

  add(result: TestResult): void {
    this.#tests.push(result);
  }

  addTime(file: string, ms: number): void {
    this.#ms.set(file, (this.#ms.get(file) ?? 0) + ms);
  }

  addError(message: string): void {
    this.#errors.push(message);
  }

  write(): void {
    const files = [...this.#ms].map(([file, ms]) => ({ file, ms: Math.round(ms) }));
    const report: Report = { tests: this.#tests, files, errors: this.#errors };
    if (this.#report) writeFileSync(this.#report, JSON.stringify(report));
  }
}

const reasonInNamePattern = / ?\((?:skipped: )?([^()]*\b(?:needs|install|installed|skipped)\b[^()]*)\)/;

/**
 * Why a test was skipped: its note, or the text in parentheses in its name, such as "in Redis (apt-get install
 * redis-server)".
 */
export function skipReason(name: string, note?: string): string | undefined {
  return note ? note : name.match(reasonInNamePattern)?.[1];
}

/** The name without the reason, which is printed after it. */
export const withoutReason = (name: string, reason: string): string =>
  name.replace(reasonInNamePattern, (match, reasonInName) => (reasonInName === reason ? '' : match));
