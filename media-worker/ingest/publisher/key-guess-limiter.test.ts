import { beforeEach, describe, expect, it } from 'vitest';
import { KeyGuessLimiter } from './key-guess-limiter';

describe('KeyGuessLimiter', () => {
  let monotonicMs = 0;
  let keyCount = 0;
  let limiter: KeyGuessLimiter;
  const findNothing = () => Promise.resolve(null);
  const findStream = () => Promise.resolve('stream');
  const tryWrongKeys = async (count: number, group = 'a', from = 0): Promise<unknown[]> => {
    const results: unknown[] = [];
    for (let index = from; index < from + count; index++)
      results.push(await limiter.check(group, `key-${index}`, findNothing));
    return results;
  };
  const serialStart = { result: 'wrong', startsSerialChecks: true };

  /** Number of keys, of a hundred, that are checked at the same time. */
  const countConcurrentChecks = async (group = 'a'): Promise<number> => {
    let [running, maxRunning] = [0, 0];
    const check = async () => {
      maxRunning = Math.max(maxRunning, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 'stream';
    };
    const keys = Array.from({ length: 100 }, (_, index) => `${group}-good-${(keyCount += 1)}-${index}`);
    const checks = await Promise.all(keys.map((key) => limiter.check(group, key, check)));
    expect(checks.every(({ result }) => result === 'ok')).toBe(true);
    return maxRunning;
  };

  beforeEach(() => {
    monotonicMs = 1000;
    limiter = new KeyGuessLimiter({ maxWrongKeys: 10, serialChecksMs: 600_000 }, () => monotonicMs);
  });

  it('checks the keys of a group one by one after more than ten different wrong ones within a minute', async () => {
    expect(await tryWrongKeys(10)).not.toContainEqual(serialStart);
    expect(await countConcurrentChecks()).toBe(10);
    expect(await tryWrongKeys(1, 'a', 10)).toEqual([serialStart]);
    expect(await countConcurrentChecks()).toBe(1);
    expect(await countConcurrentChecks('b')).toBe(10);
    // A group that keeps guessing is not reported again.
    expect(await tryWrongKeys(20, 'a', 50)).not.toContainEqual(serialStart);
  });

  it('accepts a correct key even after a hundred wrong ones', async () => {
    await tryWrongKeys(100);
    expect(await limiter.check('a', 'the-right-one', findStream)).toEqual({ result: 'ok', value: 'stream' });
  });

  it('checks a previously admitted key without the queue of a guessing group', async () => {
    await limiter.check('b', 'known', findStream);
    await tryWrongKeys(11);
    let answer = (): void => undefined;
    const slow = limiter.check(
      'a',
      'x',
      () => new Promise<null>((resolve) => (answer = () => resolve(null))),
    );
    const behind = limiter.check('a', 'y', findNothing);
    expect(await limiter.check('a', 'known', findStream)).toMatchObject({ result: 'ok' });
    answer();
    await Promise.all([slow, behind]);
    // The key was changed, so later it is checked like any other.
    await limiter.check('a', 'known', findNothing);
    expect(await countConcurrentChecks()).toBe(1);
  });

  it('does not check further keys of a group while a thousand wait', async () => {
    const never = new Promise<null>(() => undefined);
    for (let index = 0; index < 1_000; index++) void limiter.check('a', `key-${index}`, () => never);
    expect(await limiter.check('a', 'one-more', findStream)).toEqual({ result: 'busy' });
    expect(await limiter.check('b', 'elsewhere', findStream)).toMatchObject({ result: 'ok' });
  });

  it('checks keys concurrently again after ten minutes, and restarts its count', async () => {
    await tryWrongKeys(11);
    monotonicMs += 599_999;
    expect(await countConcurrentChecks()).toBe(1);
    monotonicMs += 1;
    expect(await countConcurrentChecks()).toBe(10);
    expect(await tryWrongKeys(10)).not.toContainEqual(serialStart);
  });

  it('forgets wrong keys after a minute', async () => {
    await tryWrongKeys(10);
    monotonicMs += 60_000;
    expect(await tryWrongKeys(10, 'a', 10)).not.toContainEqual(serialStart);
  });

  it('does not slow down an encoder that repeats one wrong key', async () => {
    for (let index = 0; index < 100; index++)
      expect(await limiter.check('a', 'the-same', findNothing)).not.toEqual(serialStart);
  });

  it('does not count a failed check as a guess', async () => {
    const failCheck = () => Promise.reject(new Error('database is away'));
    for (let index = 0; index < 20; index++)
      await expect(limiter.check('a', `key-${index}`, failCheck)).rejects.toThrow('away');
    expect(await countConcurrentChecks()).toBe(10);
  });
});
