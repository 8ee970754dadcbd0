import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue';

const limits = { perClient: 50, perSubject: 50, total: 100 };

/** Opens a queue whose first job runs until `drain` is called. `add` returns whether the job was accepted. */
function openQueue(overrides: Partial<typeof limits> = {}) {
  const queue = new FairQueue({ ...limits, ...overrides });
  const order: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const blockedRun = queue.run({ client: 'first', subject: 'first' }, () => gate);
  const runs: (Promise<unknown> | null)[] = [blockedRun];
  const add = (client: string, subject: string) => {
    const run = queue.run({ client, subject }, () => {
      order.push(`${client} ${subject}`);
      return Promise.resolve();
    });
    runs.push(run);
    return run !== null;
  };
  const drain = async () => {
    release();
    for (const run of runs) await run;
    return order;
  };
  return { add, drain };
}

test('many jobs of one client delay another client by at most three jobs', async () => {
  const { add, drain } = openQueue();
  for (let n = 0; n < 34; n++) add('mallory', `asset ${n}`);
  add('ann', 'other');
  expect((await drain()).indexOf('ann other')).toBeLessThan(4);
});

test('many clients of one asset delay another asset by at most three jobs', async () => {
  const { add, drain } = openQueue();
  for (let n = 0; n < 34; n++) add(`client ${n}`, 'popular');
  add('ann', 'other');
  expect((await drain()).indexOf('ann other')).toBeLessThan(4);
});

test('many jobs of one client about an asset delay another client of that asset by at most three jobs', async () => {
  const { add, drain } = openQueue();
  for (let n = 0; n < 34; n++) add('mallory', 'popular');
  add('ann', 'popular');
  expect((await drain()).indexOf('ann popular')).toBeLessThan(4);
});

test('jobs run one at a time, in order of arrival among equals', async () => {
  const { add, drain } = openQueue();
  for (const name of ['a', 'b', 'c']) add(name, name);
  expect(await drain()).toEqual(['a a', 'b b', 'c c']);
});

test('waiting jobs are limited per client, per subject and in total', async () => {
  const { add, drain } = openQueue({ perClient: 2, perSubject: 3, total: 5 });
  expect([add('a', '1'), add('a', '2'), add('a', '3')]).toEqual([true, true, false]);
  expect([add('b', '1'), add('c', '1'), add('d', '1')]).toEqual([true, true, false]);
  expect([add('d', '4'), add('e', '5')]).toEqual([true, false]);
  expect(await drain()).toHaveLength(5);
});

test('the next job runs after one that fails', async () => {
  const queue = new FairQueue(limits);
  const key = { client: 'a', subject: 'a' };
  const failing = queue.run(key, () => Promise.reject(new Error('no')));
  const next = queue.run(key, () => Promise.resolve('next'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('next');
});
