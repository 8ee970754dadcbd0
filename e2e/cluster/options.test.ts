import { expect, test } from 'vitest';
import { readOptions } from './options';

const names = ['takeover', 'jobs'];

test('by default all scenarios run with both queues, and --short uses only the queue in PostgreSQL', () => {
  expect(readOptions([], names)).toEqual({
    queues: ['pg', 'redis'],
    short: false,
    only: [],
    tls: false,
    keep: false,
  });
  expect(readOptions(['--short'], names)).toMatchObject({ queues: ['pg'], short: true });
  expect(readOptions(['--short', '--queues', 'both'], names).queues).toEqual(['pg', 'redis']);
  expect(readOptions(['--queues', 'redis', '--only', 'jobs,takeover'], names)).toMatchObject({
    queues: ['redis'],
    only: ['jobs', 'takeover'],
  });
});

test('an unknown option, queue or scenario is rejected', () => {
  expect(() => readOptions(['--queues', 'kafka'], names)).toThrow(
    /expected pg, redis or both[^]*npm run test:cluster/,
  );
  expect(() => readOptions(['--only', 'jobs,naps'], names)).toThrow(/naps is none of takeover, jobs/);
  expect(() => readOptions(['--fast'], names)).toThrow();
});
