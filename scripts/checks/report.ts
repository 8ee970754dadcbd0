import { writeFileSync } from 'node:fs';

/** What a test runner says of one test. */
export interface TestResult {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** With the names of the groups around it. */
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Runs this test alone: arguments of the runner. */
  readonly selection: readonly string[];
  /** What failed, or why the test was skipped. */
  readonly reason?: string;
}

/** The name of what fails outside of the tests of a file. */
export const wholeFile = 'the file itself';

/** What a test runner leaves behind. */
export interface Report {
  readonly tests: readonly TestResult[];
  readonly files: readonly FileTime[];
  /** Failures outside of tests, such as a file that cannot be loaded. */
  readonly errors: readonly string[];
}

export interface FileTime {
  readonly file: string;
  readonly ms: number;
}

/** Environment variables that tell a reporter where to write. */
export const reportVariable = 'TEST_REPORT';
export const runningVariable = 'TEST_RUNNING';

/**
 * Collects the results of a runner. Each change of what runs is written to a file at once: what the watchdog prints when
 * nothing changes any more.
 */
export class ReportWriter {
  readonly #tests: TestResult[] = [];
  readonly #ms = new Map<string, number>();
  readonly #errors: string[] = [];
  readonly #running = new Set<string>();
  readonly #report = process.env[reportVariable];
  readonly #runningFile = process.env[runningVariable];

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

const saidInName = / ?\((?:skipped: )?([^()]*\b(?:needs|install|installed|skipped)\b[^()]*)\)/;

/**
 * Why a test was skipped: its note, or what its name says in parentheses, such as "in Redis (apt-get install
 * redis-server)".
 */
export function skipReason(name: string, note?: string): string | undefined {
  return note ? note : name.match(saidInName)?.[1];
}

/** The name without the reason if that is part of it: it is printed behind it. */
export const withoutReason = (name: string, reason: string): string =>
  name.replace(saidInName, (match, reasonInName) => (reasonInName === reason ? '' : match));
