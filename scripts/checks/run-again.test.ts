import { expect, test } from 'vitest';
import { runFailedAgain } from './run-again';
import { withVerdict, emptyTally, formatSummary, type Rerun, type Failure, type Tally } from './tally';

const failure = (name: string, again: Rerun | null): Failure => ({ name, reason: 'too late', rerun: again });
const testOf = (name: string) => failure(name, { runner: 'vitest', selection: [name] });
const runs =
  (passing: readonly string[], runNames: string[] = []) =>
  async ({ selection: [name = ''] }: Rerun): Promise<boolean> => {
    runNames.push(name);
    await Promise.resolve();
    return passing.includes(name);
  };
const withFailures = (failures: readonly Failure[]): Tally => ({ ...emptyTally, passed: 1, failures });

test('a failed test that passes alone is unstable and does not fail the run', async () => {
  const again = await runFailedAgain(withFailures([testOf('late')]), runs(['late']));
  expect(formatSummary(withVerdict(again, false))).toBe('unstable: late\n2 passed, 0 failed, 0 skipped');
});

test('a test that fails again, and a failed check, are failures', async () => {
  const runNames: string[] = [];
  const tally = withFailures([testOf('wrong'), failure('lint', null)]);
  const { failures, unstable } = await runFailedAgain(tally, runs([], runNames));
  expect(failures.map(({ name }) => name)).toEqual(['wrong', 'lint']);
  expect([unstable, runNames]).toEqual([[], ['wrong']]);
});

test('more than three unstable tests are failures', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const threeUnstable = await runFailedAgain(withFailures(names.slice(1).map(testOf)), runs(names));
  expect(withVerdict(threeUnstable, false).failures).toEqual([]);
  const fourUnstable = await runFailedAgain(withFailures(names.map(testOf)), runs(names));
  expect(withVerdict(fourUnstable, false).failures.map(({ name }) => name)).toEqual(names);
});

test('in the full suite, an unstable or skipped test is a failure', async () => {
  const tally = { ...withFailures([testOf('late')]), skipped: [{ name: 'redis', reason: 'not installed' }] };
  const strict = withVerdict(await runFailedAgain(tally, runs(['late'])), true);
  expect(formatSummary(strict).split('\n').at(-1)).toBe('1 passed, 2 failed, 0 skipped');
  expect(strict.failures.map(({ reason }) => reason)).toEqual([
    'skipped: not installed',
    'failed beside other tests, passed alone',
  ]);
});

test('more than 20 failed tests are not run again', async () => {
  const runNames: string[] = [];
  const failures = Array.from({ length: 21 }, (_, number) => testOf(`test ${number}`));
  expect((await runFailedAgain(withFailures(failures), runs([], runNames))).failures).toHaveLength(21);
  expect(runNames).toEqual([]);
});
