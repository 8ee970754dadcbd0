import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue';

const limits = { perClient: 50, perSubject: 50, total: 100 };

/** Creates a queue whose first job runs until all other jobs wait. */
function queue(overrides: Partial<typeof limits> = {}) {
  const fair = new FairQueue({ ...limits, ...overrides });
  const order: string[] = [];
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const blockedRun = fair.run({ client: 'first', subject: 'first' }, () => gate);
  const runs: (Promise<unknown> | null)[] = [blockedRun];
  const ask = (client: string, subject: string) => {
    const running = fair.run({ client, subject }, () => {
      order.push(`${client} ${subject}`);
      return Promise.resolve();
    });
    runs.push(running);
    return running !== null;
  };
  const drain = async () => {
    release();
    for (const run of runs) await run;
    return order;
  };
  return { fair, ask, drain };
}

test('many jobs of one client do not delay another client', async () => {
  const { ask, drain } = queue();
  for (let n = 0; n < 34; n++) ask('mallory', `asset ${n}`);
  ask('ann', 'hers');
  expect((await drain()).indexOf('ann hers')).toBeLessThan(4);
});

test('many clients of one asset do not delay another asset', async () => {
  const { ask, drain } = queue();
  for (let n = 0; n < 34; n++) ask(`client ${n}`, 'popular');
  ask('ann', 'hers');
  expect((await drain()).indexOf('ann hers')).toBeLessThan(4);
});

test('many jobs about an asset do not delay another client of that asset', async () => {
  const { ask, drain } = queue();
  for (let n = 0; n < 34; n++) ask('mallory', 'popular');
  ask('ann', 'popular');
  expect((await drain()).indexOf('ann popular')).toBeLessThan(4);
});

test('jobs run one at a time, in order of arrival among equals', async () => {
  const { ask, drain } = queue();
  for (const name of ['a', 'b', 'c']) ask(name, name);
  expect(await drain()).toEqual(['a a', 'b b', 'c c']);
});

test('waiting jobs are limited per client, per subject and in total', async () => {
  const { ask, drain } = queue({ perClient: 2, perSubject: 3, total: 5 });
  expect([ask('a', '1'), ask('a', '2'), ask('a', '3')]).toEqual([true, true, false]);
  expect([ask('b', '1'), ask('c', '1'), ask('d', '1')]).toEqual([true, true, false]);
  expect([ask('d', '4'), ask('e', '5')]).toEqual([true, false]);
  expect(await drain()).toHaveLength(5);
});

test('a failed job does not delay the next one', async () => {
  const fair = new FairQueue(limits);
  const share = { client: 'a', subject: 'a' };
  const failing = fair.run(share, () => Promise.reject(new Error('no')));
  const next = fair.run(share, () => Promise.resolve('next'));
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('next');
});
