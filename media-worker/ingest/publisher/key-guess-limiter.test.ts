import { beforeEach, describe, expect, it } from 'vitest';
import { KeyGuessLimiter } from './key-guess-limiter';

describe('KeyGuessLimiter', () => {
  let now = 0;
  let keyCount = 0;
  let limiter: KeyGuessLimiter;
  const findNothing = () => Promise.resolve(null);
  const findStream = () => Promise.resolve('stream');
  const guess = async (count: number, group = 'a', from = 0): Promise<unknown[]> => {
    const results: unknown[] = [];
    for (let n = from; n < from + count; n++)
      results.push(await limiter.check(group, `key-${n}`, findNothing));
    return results;
  };
  const wrongStart = { result: 'wrong', startsSerialChecks: true };

  /** Number of keys, of a hundred, that are checked at the same time. */
  const concurrentChecks = async (group = 'a'): Promise<number> => {
    let [running, maxRunning] = [0, 0];
    const check = async () => {
      maxRunning = Math.max(maxRunning, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 'stream';
    };
    const keys = Array.from({ length: 100 }, (_, n) => `${group}-good-${(keyCount += 1)}-${n}`);
    const checks = await Promise.all(keys.map((key) => limiter.check(group, key, check)));
    expect(checks.every(({ result }) => result === 'ok')).toBe(true);
    return maxRunning;
  };

  beforeEach(() => {
    now = 1000;
    limiter = new KeyGuessLimiter({ maxWrongKeys: 10, serialChecksMs: 600_000 }, () => now);
  });

  it('checks the keys of a group one by one after ten wrong ones within a minute', async () => {
    expect(await guess(10)).not.toContainEqual(wrongStart);
    expect(await concurrentChecks()).toBe(10);
    expect(await guess(1, 'a', 10)).toEqual([wrongStart]);
    expect(await concurrentChecks()).toBe(1);
    expect(await concurrentChecks('b')).toBe(10);
    // A group that keeps guessing is not reported again.
    expect(await guess(20, 'a', 50)).not.toContainEqual(wrongStart);
  });

  it('never rejects a right key', async () => {
    await guess(100);
    expect(await limiter.check('a', 'the-right-one', findStream)).toEqual({ result: 'ok', value: 'stream' });
  });

  it('checks a previously admitted key without the queue of a guessing group', async () => {
    await limiter.check('b', 'known', findStream);
    await guess(11);
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
    expect(await concurrentChecks()).toBe(1);
  });

  it('rejects keys above the queue limit', async () => {
    const never = new Promise<null>(() => undefined);
    for (let n = 0; n < 1_000; n++) void limiter.check('a', `key-${n}`, () => never);
    expect(await limiter.check('a', 'one-more', findStream)).toEqual({ result: 'busy' });
    expect(await limiter.check('b', 'elsewhere', findStream)).toMatchObject({ result: 'ok' });
  });

  it('checks keys concurrently again after ten minutes, and restarts its count', async () => {
    await guess(11);
    now += 599_999;
    expect(await concurrentChecks()).toBe(1);
    now += 1;
    expect(await concurrentChecks()).toBe(10);
    expect(await guess(10)).not.toContainEqual(wrongStart);
  });

  it('forgets wrong keys after a minute', async () => {
    await guess(10);
    now += 60_000;
    expect(await guess(10, 'a', 10)).not.toContainEqual(wrongStart);
  });

  it('does not slow down an encoder that repeats one wrong key', async () => {
    for (let n = 0; n < 100; n++)
      expect(await limiter.check('a', 'the-same', findNothing)).not.toEqual(wrongStart);
  });

  it('does not count a failed check as a guess', async () => {
    const away = () => Promise.reject(new Error('database is away'));
    for (let n = 0; n < 20; n++) await expect(limiter.check('a', `key-${n}`, away)).rejects.toThrow('away');
    expect(await concurrentChecks()).toBe(10);
  });
});
