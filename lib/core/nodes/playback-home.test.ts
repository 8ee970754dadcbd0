import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findCountingOrigin, homeOf } from './playback-home';

const [a, b, c] = [
  '11111111-1111-4111-8111-aaaaaaaaaaaa',
  '22222222-2222-4222-8222-bbbbbbbbbbbb',
  '33333333-3333-4333-8333-cccccccccccc',
];
const stoppedOrigin = '44444444-4444-4444-8444-dddddddddddd';
/** The id of a playback that the origin `home` counts. */
const playbackOf = (home: string, suffix = 'x') => homeOf(home) + suffix;

describe('findCountingOrigin', () => {
  test.each([
    ['its home, as the only origin', a, [a], a],
    ['its home, among several', b, [a, b, c], b],
    ['its home, in any order of origins', b, [c, b, a], b],
    ['the only other origin, when its home is gone', stoppedOrigin, [c], c],
    ['none, when no origin runs', a, [], undefined],
  ])('returns %s', (_name, home, origins, countingOrigin) => {
    expect(findCountingOrigin(playbackOf(home), origins)).toBe(countingOrigin);
  });

  const playbacks = Array.from({ length: 3_000 }, (_, number) =>
    playbackOf(stoppedOrigin, `playback${number}`),
  );

  test('returns the same origin on all nodes', () => {
    for (const playback of playbacks) {
      expect(findCountingOrigin(playback, [c, a, b])).toBe(findCountingOrigin(playback, [a, b, c]));
    }
  });

  test('divides playbacks evenly among the remaining origins', () => {
    const shares = new Map<string | undefined, number>();
    for (const playback of playbacks) {
      const countingOrigin = findCountingOrigin(playback, [a, b, c]);
      shares.set(countingOrigin, (shares.get(countingOrigin) ?? 0) + 1);
    }
    expect([...shares.keys()].sort()).toEqual([a, b, c]);
    // 3,000 playbacks on three origins; 150 is more than five standard deviations.
    for (const share of shares.values()) expect(Math.abs(share - 1_000)).toBeLessThan(150);
  });

  test('changes only the playbacks of an origin that leaves', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 8 }),
        fc.string(),
        (origins, suffix) => {
          const playback = playbackOf(stoppedOrigin, suffix);
          const [leavingOrigin, ...remainingOrigins] = origins;
          const countingOrigin = findCountingOrigin(playback, origins);
          fc.pre(countingOrigin !== leavingOrigin);
          expect(findCountingOrigin(playback, remainingOrigins)).toBe(countingOrigin);
        },
      ),
    );
  });
});
