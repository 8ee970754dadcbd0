import { omitUndefined } from '@/lib/core/omit-undefined';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { skipReason, wholeFile, type Report, type TestResult } from './report';
import {
  addTallies,
  emptyTally,
  singleTally,
  passedAlone,
  readTally,
  formatSummary,
  tallyOfReport,
} from './tally';

const folder = mkdtempSync(join(tmpdir(), 'headwater-tally-'));
afterAll(() => rmSync(folder, { recursive: true }));

const result = (name: string, state: TestResult['state'], reason?: string): TestResult => ({
  file: 'one.test.ts',
  name,
  state,
  selection: ['-t', name],
  ...omitUndefined({ reason }),
});
const report = (...tests: readonly TestResult[]): Report => ({ tests, files: [], errors: [] });

describe('the summary', () => {
  it('ends with one line of totals, even without skipped tests', () => {
    expect(formatSummary({ ...emptyTally, passed: 5 })).toBe('5 passed, 0 failed, 0 skipped');
    const tally = addTallies(
      singleTally(true, 'types'),
      singleTally(false, 'lint'),
      singleTally(false, 'two', 'is not one'),
    );
    expect(formatSummary(tally)).toBe('✗ lint\n✗ two\n    is not one\n1 passed, 2 failed, 0 skipped');
  });

  it('prints each skipped test with its reason, and time, before the totals', () => {
    const skippedTests = [{ name: 'acme.db.test.ts: orders', reason: 'pebble is not installed' }];
    expect(
      formatSummary({ ...emptyTally, passed: 1, skipped: skippedTests }, 'wall 9 min').split('\n'),
    ).toEqual([
      '- skipped: acme.db.test.ts: orders: pebble is not installed',
      'wall 9 min',
      '1 passed, 0 failed, 1 skipped',
    ]);
  });

  it('prints the ten slowest files', () => {
    const files = Array.from({ length: 12 }, (_, n) => ({ file: `${n}.test.ts`, ms: n * 1_000 }));
    const lines = formatSummary({ ...emptyTally, files }).split('\n');
    // A heading, ten files and the totals.
    expect(lines).toHaveLength(12);
    expect(lines[1]).toBe('    11.0 s  11.test.ts');
    expect(lines[10]).toBe('     2.0 s  2.test.ts');
  });

  it('prints only the first lines of a long failure', () => {
    const summary = formatSummary(
      singleTally(false, Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\n')),
    );
    // 12 lines of the failure and the totals.
    expect(summary.split('\n')).toHaveLength(13);
  });
});

describe('a report', () => {
  it('counts passed, failed and skipped tests', () => {
    const tests = [
      result('holds', 'passed'),
      result('counts', 'failed', 'expected 1'),
      result('acme', 'skipped', 'no pebble'),
    ];
    expect(tallyOfReport(report(...tests), 'vitest')).toEqual({
      ...emptyTally,
      passed: 1,
      failures: [
        {
          name: 'one.test.ts: counts',
          reason: 'expected 1',
          rerun: { runner: 'vitest', selection: ['-t', 'counts'] },
        },
      ],
      skipped: [{ name: 'one.test.ts: acme', reason: 'no pebble' }],
    });
  });

  it('prints the reason of a skipped test once', () => {
    const name = 'Go > signs (skipped: not installed)';
    const skippedTests = { ...result(name, 'skipped', 'not installed') };
    expect(tallyOfReport(report(skippedTests), 'vitest').skipped).toEqual([
      { name: 'one.test.ts: Go > signs', reason: 'not installed' },
    ]);
  });

  it('counts a skipped test without a reason as failed', () => {
    const { failures, skipped: skippedTests } = tallyOfReport(report(result('acme', 'skipped')), 'vitest');
    expect(failures).toMatchObject([{ name: 'one.test.ts: acme', reason: 'skipped without a reason' }]);
    expect(skippedTests).toEqual([]);
  });

  it('shows whether a selected test passed', () => {
    const otherResult = result('another', 'skipped');
    expect(passedAlone(tallyOfReport(report(result('late', 'passed'), otherResult), 'vitest'))).toBe(true);
    expect(passedAlone(tallyOfReport(report(result('late', 'failed', 'no'), otherResult), 'vitest'))).toBe(
      false,
    );
    expect(passedAlone(tallyOfReport(report(otherResult), 'vitest'))).toBe(false);
  });

  it('does not count tests after a hook that failed', () => {
    const tests = [result(wholeFile, 'failed', 'no disk'), result('writes', 'skipped')];
    expect(tallyOfReport(report(...tests), 'vitest').failures).toHaveLength(1);
  });

  it('counts failures outside of tests', () => {
    const { failures } = tallyOfReport({ ...report(), errors: ['no browser'] }, 'playwright');
    expect(failures).toMatchObject([{ reason: 'no browser', rerun: null }]);
  });

  it('counts as a failure if it is missing, or if it has no failed test although the run failed', () => {
    const file = join(folder, 'report.json');
    expect(readTally(file, 'vitest', true, 'db tests').failures).toMatchObject([
      { name: 'db tests: no report' },
    ]);
    writeFileSync(file, JSON.stringify(report(result('holds', 'passed'))));
    expect(readTally(file, 'vitest', true, 'db tests')).toEqual({ ...emptyTally, passed: 1 });
    expect(readTally(file, 'vitest', false, 'db tests').failures).toMatchObject([{ name: 'db tests' }]);
  });
});

it.each([
  ['in Redis (apt-get install redis-server) > counts', undefined, 'apt-get install redis-server'],
  ['a disk that fills up (needs a mount) > stops', undefined, 'needs a mount'],
  ['signs a token', 'no Go', 'no Go'],
  ['signs a token (skipped: not installed)', undefined, 'not installed'],
  ['a time (UTC) > counts', undefined, undefined],
])('the reason why the test “%s” with the note “%s” was skipped is “%s”', (name, note, reason) => {
  expect(skipReason(name, note)).toBe(reason);
});
