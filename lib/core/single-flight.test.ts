import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight';

/** Work that ends when the test ends it. */
function openWork() {
  let resolve: (result: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((...ends) => ([resolve, reject] = ends));
  let count = 0;
  const work = () => {
    count += 1;
    return promise;
  };
  return { work, resolve, reject, count: () => count };
}

test('everybody who asks while it runs gets the one result, and the next one starts it again', async () => {
  const flight = new SingleFlight<string>();
  const { work, resolve, count } = openWork();
  const all = [flight.run('a', work), flight.run('a', work), flight.run('b', work)];
  expect([count(), flight.size]).toEqual([2, 2]);
  resolve('done');
  expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
  expect(flight.size).toBe(0);
  await flight.run('a', work);
  expect(count()).toBe(3);
});

test('a failure is everybody’s, and is forgotten', async () => {
  const flight = new SingleFlight<string>();
  const { work, reject } = openWork();
  const all = [flight.run('a', work), flight.run('a', work)];
  reject(new Error('no'));
  await Promise.all(all.map((each) => expect(each).rejects.toThrow('no')));
  expect(flight.running('a')).toBeUndefined();
});

test('what was forgotten is told so, and does not end what came after it', async () => {
  const flight = new SingleFlight<string>();
  const [old, next] = [openWork(), openWork()];
  const counted: boolean[] = [];
  const first = flight.run('a', async (counts) => {
    const result = await old.work();
    counted.push(counts());
    return result;
  });
  flight.forget('a');
  const second = flight.run('a', next.work);
  old.resolve('old');
  expect(await first).toBe('old');
  expect(counted).toEqual([false]);
  expect(flight.running('a')).toBe(second);
  next.resolve('new');
  expect(await second).toBe('new');
});
