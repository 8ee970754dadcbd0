import { beforeEach, describe, expect, it } from 'vitest';
import { KeyGuessLimiter } from './key-guess-limiter';

describe('KeyGuessLimiter', () => {
  let now = 0;
  let limiter: KeyGuessLimiter;
  const guess = (count: number, group = 'a', from = 0): boolean[] =>
    Array.from({ length: count }, (_, n) => limiter.refused(group, `key-${from + n}`));

  beforeEach(() => {
    now = 1000;
    limiter = new KeyGuessLimiter({ refusedKeys: 10, blockMs: 600_000 }, () => now);
  });

  it('blocks with the eleventh key within a minute', () => {
    expect(guess(10)).not.toContain(true);
    expect(limiter.isBlocked('a')).toBe(false);
    expect(guess(1, 'a', 10)).toEqual([true]);
    expect(limiter.isBlocked('a')).toBe(true);
    expect(limiter.isBlocked('b')).toBe(false);
  });

  it('unblocks after ten minutes and counts from the start again', () => {
    guess(11);
    now += 599_999;
    expect(limiter.isBlocked('a')).toBe(true);
    now += 1;
    expect(limiter.isBlocked('a')).toBe(false);
    expect(guess(10)).not.toContain(true);
  });

  it('forgets keys after a minute', () => {
    guess(10);
    now += 60_000;
    expect(guess(10, 'a', 10)).not.toContain(true);
  });

  it('does not mind an encoder that repeats one refused key', () => {
    for (let n = 0; n < 100; n++) expect(limiter.refused('a', 'the-same')).toBe(false);
  });
});
