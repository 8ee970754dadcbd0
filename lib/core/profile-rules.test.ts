import { expect, test } from 'vitest';
import { profilesFault, targetsFault } from './profile-rules';

test.each<[string[], string | null]>([
  [[], null],
  [['720p', '480p'], null],
  [['source'], 'profile cannot be named "source"'],
  [['Source'], 'profile cannot be named "Source"'],
  [['720p', '720p'], 'duplicate profile name "720p"'],
])('profiles %j', (names, fault) => {
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
])('targets %j', (pairs, fault) => {
  expect(
    targetsFault(
      pairs.map(([id, profile]) => ({ id, profile })),
      [{ name: '720p' }],
    ),
  ).toBe(fault);
});
