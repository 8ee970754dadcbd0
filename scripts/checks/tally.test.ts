import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { add, one, readTally, summary, tallyOfPlaywright, tallyOfVitest } from './tally';

const folder = mkdtempSync(join(tmpdir(), 'headwater-tally-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('tally', () => {
  it('sums up and ends with a plain line', () => {
    expect(summary(add(one(true), one(false), { passed: 5, failed: 2 }))).toBe('6 passed, 3 failed');
  });

  it('counts the tests of vitest, and a file that cannot be loaded as a failure', () => {
    const testResults = [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{}] },
      { status: 'passed', assertionResults: [{}, {}] },
    ];
    expect(tallyOfVitest({ numPassedTests: 2, numFailedTests: 1, testResults })).toEqual({
      passed: 2,
      failed: 2,
    });
  });

  it('counts a flaky browser test as failed', () => {
    const stats = { expected: 3, unexpected: 1, flaky: 1 };
    expect(tallyOfPlaywright({ stats, errors: [{}] })).toEqual({ passed: 3, failed: 3 });
  });

  it('never calls a failed run good', () => {
    const file = join(folder, 'report.json');
    expect(readTally(file, tallyOfVitest, true)).toEqual(one(false));
    writeFileSync(file, JSON.stringify({ numPassedTests: 4, numFailedTests: 0, testResults: [] }));
    expect(readTally(file, tallyOfVitest, true)).toEqual({ passed: 4, failed: 0 });
    expect(readTally(file, tallyOfVitest, false)).toEqual({ passed: 4, failed: 1 });
  });
});
