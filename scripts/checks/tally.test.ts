import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { add, one, readTally, summary, tallyOfPlaywright, tallyOfVitest } from './tally';

const folder = mkdtempSync(join(tmpdir(), 'headwater-tally-'));
afterAll(() => rmSync(folder, { recursive: true }));

const passed = { status: 'passed', fullName: 'holds', failureMessages: null };
const failed = { status: 'failed', fullName: 'counts to two', failureMessages: ['expected 1 to be 2'] };

describe('tally', () => {
  it('is printed as each failure by name and one line of totals', () => {
    const tally = add(one(true, 'types'), one(false, 'lint'), { passed: 5, failures: ['two\nis not one'] });
    expect(summary(tally)).toBe('✗ lint\n✗ two\n    is not one\n6 passed, 2 failed');
  });

  it('prints only the first lines of a long failure', () => {
    const lines = summary(one(false, Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n')));
    expect(lines.split('\n')).toHaveLength(13);
  });

  it('counts vitest tests, and a file that cannot be loaded as a failure', () => {
    const testResults = [
      { status: 'failed', name: 'broken.test.ts', message: 'no such module', assertionResults: [] },
      { status: 'failed', name: 'one.test.ts', assertionResults: [failed, passed] },
      { status: 'passed', name: 'two.test.ts', assertionResults: [passed] },
    ];
    expect(tallyOfVitest({ numPassedTests: 2, testResults })).toEqual({
      passed: 2,
      failures: ['broken.test.ts\nno such module', 'one.test.ts: counts to two\nexpected 1 to be 2'],
    });
  });

  it('counts a flaky browser test as failed', () => {
    const at = { file: 'a.spec.ts', line: 3 };
    const results = [{}, { error: { message: '\u001b[31mtoo late\u001b[39m' } }];
    const suites = [
      {
        specs: [{ ...at, title: 'plays', tests: [{ status: 'unexpected' as const, results }] }],
        suites: [{ specs: [{ ...at, title: 'stops', tests: [{ status: 'flaky' as const, results: [] }] }] }],
      },
      { specs: [{ ...at, title: 'waits', tests: [{ status: 'expected' as const, results: [] }] }] },
    ];
    expect(
      tallyOfPlaywright({ stats: { expected: 1 }, suites, errors: [{ message: 'no browser' }] }),
    ).toEqual({
      passed: 1,
      failures: ['a.spec.ts:3 plays\ntoo late', 'a.spec.ts:3 stops\n', 'no browser'],
    });
  });

  it('counts a failed run without failed tests as a failure', () => {
    const file = join(folder, 'report.json');
    const none = { passed: 0, failures: ['db tests: no report'] };
    expect(readTally(file, tallyOfVitest, true, 'db tests')).toEqual(none);
    writeFileSync(file, JSON.stringify({ numPassedTests: 4, testResults: [] }));
    expect(readTally(file, tallyOfVitest, true, 'db tests')).toEqual({ passed: 4, failures: [] });
    expect(readTally(file, tallyOfVitest, false, 'db tests')).toEqual({ passed: 4, failures: ['db tests'] });
  });
});
