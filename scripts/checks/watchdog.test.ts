import { expect, test } from 'vitest';
import { Watchdog, type Activity } from './watchdog';

function openWatchdog() {
  const clock = { ms: 0 };
  const reports: string[] = [];
  const watchdog = new Watchdog({
    limitMs: 300_000,
    now: () => clock.ms,
    onStuck: (report) => reports.push(report),
  });
  /** Checks the watchdog at a time. */
  const checkAt = (ms: number, activities: readonly Activity[]) => {
    clock.ms = ms;
    watchdog.check(activities);
  };
  return { checkAt, reports };
}

const createActivity = (name: string, lastProgressMs: number): Activity => ({
  name,
  lastProgress: () => lastProgressMs,
  describe: () => `  ${name}.test.ts`,
});

test('the watchdog reports once which tests run if no step makes progress for five minutes', () => {
  const { checkAt, reports } = openWatchdog();
  const [db, browser] = [createActivity('db', 10_000), createActivity('browser', 20_000)];
  checkAt(319_000, [db, browser]);
  expect(reports).toEqual([]);
  checkAt(320_000, [db, browser]);
  checkAt(330_000, [db, browser]);
  expect(reports).toEqual(['db\n  db.test.ts\nbrowser\n  browser.test.ts']);
});

test('progress of one step is progress of the run', () => {
  const { checkAt, reports } = openWatchdog();
  checkAt(400_000, [createActivity('stuck', 0), createActivity('busy', 399_000)]);
  expect(reports).toEqual([]);
});

test('time without a step does not count', () => {
  const { checkAt, reports } = openWatchdog();
  checkAt(600_000, []);
  checkAt(700_000, [createActivity('new', 0)]);
  expect(reports).toEqual([]);
  checkAt(900_000, [createActivity('new', 0)]);
  expect(reports).toHaveLength(1);
});
