import { describe, expect, test } from 'vitest';
import { endedChildrenSeconds, stopwatch } from './stopwatch';

describe('a stopwatch', () => {
  test('adds user and system time of ended children', () => {
    // Each field from the third on contains its number. cutime is field 16 and cstime field 17: 33 hundredths of a second.
    const fields = Array.from({ length: 50 }, (_, index) => index + 3);
    expect(endedChildrenSeconds(`7 (a) b) ${fields.join(' ')}\n`)).toBe(0.33);
  });

  test('prints the elapsed time', () => {
    expect(stopwatch()()).toMatch(/^\d+\.\d s(, \d+ s CPU)?$/);
  });
});
