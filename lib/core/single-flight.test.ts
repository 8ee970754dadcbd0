import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight';

/** Creates work that the test resolves or rejects, and counts its starts. */
function createWork() {
  let resolve: (result: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((...settlers) => ([resolve, reject] = settlers));
  let count = 0;
  const work = () => {
    count += 1;
    return promise;
  };
  return { work, resolve, reject, count: () => count };
}

test('concurrent callers get one result, and the next call starts the work again', async () => {
  const flight = new SingleFlight<string>();
  const { work, resolve, count } = createWork();
  const results = [flight.run('a', work), flight.run('a', work), flight.run('b', work)];
  expect([count(), flight.size]).toEqual([2, 2]);
  resolve('done');
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done']);
  expect(flight.size).toBe(0);
  await flight.run('a', work);
  expect(count()).toBe(3);
});

test('all concurrent callers get the error, and the next call starts the work again', async () => {
  const flight = new SingleFlight<string>();
  const { work, reject, count } = createWork();
  const results = [flight.run('a', work), flight.run('a', work)];
  reject(new Error('no'));
  await Promise.all(results.map((result) => expect(result).rejects.toThrow('no')));
  expect(flight.find('a')).toBeUndefined();
  await expect(flight.run('a', work)).rejects.toThrow('no');
  expect(count()).toBe(2);
});

test('detached work can see that its result is invalid, and does not affect later work with its name', async () => {
  const flight = new SingleFlight<string>();
  const [old, next] = [createWork(), createWork()];
  const validity: boolean[] = [];
  const first = flight.run('a', async (isCurrent) => {
    const result = await old.work();
    validity.push(isCurrent());
    return result;
  });
  flight.invalidate('a');
  const second = flight.run('a', next.work);
  old.resolve('old');
  expect(await first).toBe('old');
  expect(validity).toEqual([false]);
  expect(flight.find('a')).toBe(second);
  next.resolve('new');
  expect(await second).toBe('new');
});
