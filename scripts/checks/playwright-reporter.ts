import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { ReportWriter, skipReason } from './report';

const fileOf = ({ location }: TestCase) => relative(process.cwd(), location.file);
// The first three elements are the root, the project and the file.
const nameOf = (test: TestCase) => test.titlePath().slice(3).join(' > ');

/** Writes the report that scripts/checks/tally.ts reads. */
export default class PlaywrightReporter implements Reporter {
  readonly #writer = new ReportWriter();

  onTestBegin(test: TestCase): void {
    this.#writer.begin(`${fileOf(test)}: ${nameOf(test)}`);
  }

  onStepEnd(): void {
    this.#writer.progress();
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const [file, name] = [fileOf(test), nameOf(test)];
    const project = test.parent.project()?.name ?? '';
    const selection = [`--project=${project}`, `${file}:${test.location.line}`];
    this.#writer.addTime(file, result.duration);
    this.#writer.end(`${file}: ${name}`);
    if (result.status === 'skipped') {
      const note = test.annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description;
      const reason = skipReason(name, note);
      this.#writer.add({ file, name, selection, state: 'skipped', ...(reason ? { reason } : {}) });
    } else if (test.outcome() === 'expected') this.#writer.add({ file, name, selection, state: 'passed' });
    else {
      const reason = stripVTControlCharacters(result.errors.map(messageOf).join('\n'));
      this.#writer.add({ file, name, selection, state: 'failed', reason });
    }
  }

  onError(error: TestError): void {
    this.#writer.addError(stripVTControlCharacters(messageOf(error)));
  }

  onEnd(): void {
    this.#writer.write();
  }

  printsToStdio(): boolean {
    return false;
  }
}

const messageOf = ({ stack, message, value }: TestError): string => stack ?? message ?? value ?? 'unknown';
