import { expect, test } from 'vitest';
import { readOptions } from './options';

const scenarioNames = ['takeover', 'jobs'];

test('by default all scenarios run with both queues, --short uses only PostgreSQL, and --queues and --only select queues and scenarios', () => {
  expect(readOptions([], scenarioNames)).toEqual({
    queues: ['pg', 'redis'],
    short: false,
    only: [],
    tls: false,
    keep: false,
  });
  expect(readOptions(['--short'], scenarioNames)).toMatchObject({ queues: ['pg'], short: true });
  expect(readOptions(['--short', '--queues', 'both'], scenarioNames).queues).toEqual(['pg', 'redis']);
  expect(readOptions(['--queues', 'redis', '--only', 'jobs,takeover'], scenarioNames)).toMatchObject({
    queues: ['redis'],
    only: ['jobs', 'takeover'],
  });
});

test('an unknown option, queue or scenario is rejected', () => {
  expect(() => readOptions(['--queues', 'kafka'], scenarioNames)).toThrow(
    /expected pg, redis or both[^]*npm run test:cluster/,
  );
  expect(() => readOptions(['--only', 'jobs,naps'], scenarioNames)).toThrow(/naps is none of takeover, jobs/);
  expect(() => readOptions(['--fast'], scenarioNames)).toThrow();
});
