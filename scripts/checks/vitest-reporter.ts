import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import { ReportWriter, skipReason, wholeFile, type TestResult } from './report';

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const fileOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId);

function namesOf(test: TestCase | TestSuite): string[] {
  return test.parent.type === 'module' ? [test.name] : [...namesOf(test.parent), test.name];
}

/** Writes the report that scripts/checks/tally.ts reads. */
export default class VitestReporter implements Reporter {
  readonly #writer = new ReportWriter();

  onTestModuleQueued(testModule: TestModule): void {
    this.#writer.begin(fileOf(testModule));
  }

  onTestCaseReady(test: TestCase): void {
    this.#writer.begin(`${fileOf(test.module)}: ${test.fullName}`);
  }

  onTestCaseResult(test: TestCase): void {
    this.#writer.add(resultOf(test));
    this.#writer.end(`${fileOf(test.module)}: ${test.fullName}`);
  }

  onTestModuleEnd(testModule: TestModule): void {
    const file = fileOf(testModule);
    const { duration, setupDuration, collectDuration } = testModule.diagnostic();
    this.#writer.addTime(file, duration + setupDuration + collectDuration);
    const errors = [...testModule.errors(), ...suiteErrors(testModule)];
    if (errors.length > 0) {
      const reason = stripVTControlCharacters(errors.map(({ message }) => message).join('\n'));
      const selection = ['--project', testModule.project.name, file];
      this.#writer.add({ file, name: wholeFile, state: 'failed', selection, reason });
    }
    this.#writer.end(file);
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly { readonly message: string }[]): void {
    for (const { message } of errors) this.#writer.addError(message);
    this.#writer.write();
  }
}

/** Failures of hooks, which belong to no test. */
function suiteErrors(testModule: TestModule) {
  return [...testModule.children.allSuites()].flatMap((suite) => [...suite.errors()]);
}

function resultOf(test: TestCase): TestResult {
  const [file, name, result] = [fileOf(test.module), test.fullName, test.result()];
  const pattern = `^${escape(namesOf(test).join(' '))}$`;
  const knownTest = { file, name, selection: ['--project', test.project.name, file, '-t', pattern] };
  if (result.state === 'passed') return { ...knownTest, state: 'passed' };
  if (result.state === 'failed') {
    const reason = result.errors.map(({ stack, message }) => stack ?? message).join('\n');
    return { ...knownTest, state: 'failed', reason: stripVTControlCharacters(reason) };
  }
  const reason = skipReason(name, result.state === 'skipped' ? result.note : undefined);
  return { ...knownTest, state: 'skipped', ...(reason ? { reason } : {}) };
}
