import { expect, test } from 'vitest';
import { runFailedAgain } from './run-again';
import { withVerdict, emptyTally, formatSummary, type Rerun, type Failure, type Tally } from './tally';

const failure = (name: string, rerun: Rerun | null): Failure => ({ name, reason: 'too late', rerun });
const failedTest = (name: string) => failure(name, { runner: 'vitest', selection: [name] });
/**
 * Fakes the runs of single tests.
 * @param passingNames names of the tests that pass
 * @param rerunNames gets the name of each test that is run
 */
const fakeRunAlone =
  (passingNames: readonly string[], rerunNames: string[] = []) =>
  async ({ selection: [name = ''] }: Rerun): Promise<boolean> => {
    rerunNames.push(name);
    await Promise.resolve();
    return passingNames.includes(name);
  };
const withFailures = (failures: readonly Failure[]): Tally => ({ ...emptyTally, passed: 1, failures });

test('a failed test that passes alone is unstable and does not fail the run', async () => {
  const tallyAfterRerun = await runFailedAgain(withFailures([failedTest('late')]), fakeRunAlone(['late']));
  expect(formatSummary(withVerdict(tallyAfterRerun, false))).toBe(
    'unstable: late\n2 passed, 0 failed, 0 skipped',
  );
});

test('a test that fails again is a failure, and so is a failed check, which is not run again', async () => {
  const rerunNames: string[] = [];
  const tally = withFailures([failedTest('wrong'), failure('lint', null)]);
  const { failures, unstable } = await runFailedAgain(tally, fakeRunAlone([], rerunNames));
  expect(failures.map(({ name }) => name)).toEqual(['wrong', 'lint']);
  expect([unstable, rerunNames]).toEqual([[], ['wrong']]);
});

test('more than three unstable tests are failures', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const threeUnstable = await runFailedAgain(
    withFailures(names.slice(1).map(failedTest)),
    fakeRunAlone(names),
  );
  expect(withVerdict(threeUnstable, false).failures).toEqual([]);
  const fourUnstable = await runFailedAgain(withFailures(names.map(failedTest)), fakeRunAlone(names));
  expect(withVerdict(fourUnstable, false).failures.map(({ name }) => name)).toEqual(names);
});

test('in the full suite, an unstable or skipped test is a failure', async () => {
  const tally = {
    ...withFailures([failedTest('late')]),
    skipped: [{ name: 'redis', reason: 'not installed' }],
  };
  const strict = withVerdict(await runFailedAgain(tally, fakeRunAlone(['late'])), true);
  expect(formatSummary(strict).split('\n').at(-1)).toBe('1 passed, 2 failed, 0 skipped');
  expect(strict.failures.map(({ reason }) => reason)).toEqual([
    'skipped: not installed',
    'failed beside other tests, passed alone',
  ]);
});

test('more than 20 failed tests are not run again', async () => {
  const rerunNames: string[] = [];
  const failures = Array.from({ length: 21 }, (_, number) => failedTest(`test ${number}`));
  expect((await runFailedAgain(withFailures(failures), fakeRunAlone([], rerunNames))).failures).toHaveLength(
    21,
  );
  expect(rerunNames).toEqual([]);
});
