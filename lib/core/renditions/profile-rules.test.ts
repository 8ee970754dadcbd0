import { describe, expect, it, test } from 'vitest';
import fc from 'fast-check';
import { profilesFault, renditionFolder, targetsFault } from './profile-rules';

test.each<[string[], string | null]>([
  [[], null],
  [['720p', '480p'], null],
  [['source'], 'profile cannot be named "source"'],
  [['Source'], 'profile cannot be named "Source"'],
  [['720p', '720p'], 'duplicate profile name "720p"'],
])('the fault of profiles with the names %j is %j', (names, fault) => {
  expect(profilesFault(names.map((name) => ({ name })))).toBe(fault);
});

test.each<[[string, string][], string | null]>([
  [[['a', 'source']], null],
  [
    [
      ['a', '720p'],
      ['a', 'source'],
      ['b', '720p'],
    ],
    null,
  ],
  [[['a', '480p']], 'multistream target profile not found: "480p". available: ["source","720p"]'],
  [
    [
      ['a', '720p'],
      ['A', '720p'],
    ],
    'multistream target {id,profile} must be unique',
  ],
])('the fault of the references %j to targets is %j', (pairs, fault) => {
  expect(
    targetsFault(
      pairs.map(([id, profile]) => ({ id, profile })),
      [{ name: '720p' }],
    ),
  ).toBe(fault);
});

describe('rendition folder', () => {
  it.each([
    ['source', 'source'],
    ['720p', '720p'],
    ['720p_0-x', '720p_0-x'],
    ['720p (main)', '720p~20~28main~29'],
    ['a.b:c+d@e', 'a~2Eb~3Ac~2Bd~40e'],
    ['720p..', '720p~2E~2E'],
    ['высокое', '~D0~B2~D1~8B~D1~81~D0~BE~D0~BA~D0~BE~D0~B5'],
  ])('of %j is %j', (name, folder) => {
    expect(renditionFolder(name)).toBe(folder);
  });

  const name = fc.stringMatching(/^[\p{L}\p{N}][\p{L}\p{N} ._:+@()-]{0,63}$/u);

  it('is one safe path segment, and different for every name', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(renditionFolder(a)).toMatch(/^[A-Za-z0-9_~-]{1,768}$/);
        if (a !== b) expect(renditionFolder(a)).not.toBe(renditionFolder(b));
      }),
    );
  });
});
