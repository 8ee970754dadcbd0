import { describe, expect, it, test } from 'vitest';
import {
  TAKEOVER_SILENCE_MS,
  answerTakeover,
  decideTakeover,
  rejectionOf,
  decidePlace,
  cutReason,
  publishRefusal,
  type PublishFacts,
} from './publish-admission';

test("a suspension is reported to the stream's owner, and a missing stream has no owner", () => {
  expect(rejectionOf('stream_suspended')?.reason).toBe('stream_suspended');
  expect(rejectionOf('account_suspended')?.reason).toBe('account_suspended');
  expect([rejectionOf('deleted'), rejectionOf('child_stream')]).toEqual([null, null]);
});

test.each([
  ['its publisher sends', { source: 'encoder', silentMs: 0 }, false, 'refuse'],
  ['its publisher is silent', { source: 'encoder', silentMs: TAKEOVER_SILENCE_MS }, false, 'yield'],
  ['it publishes the test pattern', { source: 'test-pattern', silentMs: 0 }, false, 'yield'],
  ['its encoder is away', null, false, 'yield'],
  ['its playlist shows the end', null, true, 'wait'],
] as const)('answerTakeover, when %s', (_name, present, ending, answer) => {
  expect(answerTakeover({ present, ending, draining: false }, 'encoder')).toBe(answer);
});

test('a draining node yields every stream, except one whose playlist shows its end', () => {
  const heldStream = { present: { source: 'encoder', silentMs: 0 }, ending: false, draining: true } as const;
  expect(answerTakeover(heldStream, 'encoder')).toBe('yield');
  expect(answerTakeover(heldStream, 'test-pattern')).toBe('refuse');
  expect(answerTakeover({ ...heldStream, ending: true }, 'encoder')).toBe('wait');
});

describe('decideTakeover', () => {
  it.each([
    ['media came just now', 0, 'refuse'],
    ['media came within three seconds', 2_999, 'refuse'],
    ['silent for three seconds', 3_000, 'replace'],
    ['silent for long', 60_000, 'replace'],
  ] as const)('%s', (_name, silentMs, decision) => {
    expect(decideTakeover({ source: 'encoder', silentMs }, 'encoder')).toBe(decision);
    expect(decideTakeover({ source: 'encoder', silentMs }, 'test-pattern')).toBe(decision);
    expect(decideTakeover({ source: 'test-pattern', silentMs }, 'test-pattern')).toBe(decision);
  });

  it('admits a publisher if there is none', () => {
    expect([decideTakeover(null, 'encoder'), decideTakeover(null, 'test-pattern')]).toEqual([
      'admit',
      'admit',
    ]);
  });

  it('replaces an active test pattern by an encoder', () => {
    expect(decideTakeover({ source: 'test-pattern', silentMs: 0 }, 'encoder')).toBe('replace');
  });
});

describe('decidePlace', () => {
  const sends = { source: 'encoder', silentMs: 100 } as const;
  const silent = { source: 'encoder', silentMs: 3_000 } as const;
  const pattern = { source: 'test-pattern', silentMs: 100 } as const;
  const ownEncoder = { source: 'encoder', isBackup: false } as const;
  const backupKey = { source: 'encoder', isBackup: true } as const;
  const testCard = { source: 'test-pattern', isBackup: false } as const;
  const publishes = (role: 'primary' | 'standby', replaces = false) => ({ kind: 'publish', role, replaces });
  const joins = (replaces = false) => ({ kind: 'join', role: 'standby', replaces });
  const refusal = { kind: 'refuse' };

  it.each([
    ['no encoder', { primary: null, standby: null, backup: false }, ownEncoder, publishes('primary')],
    [
      'a working primary, backup disabled',
      { primary: sends, standby: null, backup: false },
      ownEncoder,
      refusal,
    ],
    ['a working primary', { primary: sends, standby: null, backup: true }, ownEncoder, joins()],
    [
      'a silent primary',
      { primary: silent, standby: null, backup: true },
      ownEncoder,
      publishes('primary', true),
    ],
    ['two working encoders', { primary: sends, standby: sends, backup: true }, ownEncoder, refusal],
    ['a silent standby', { primary: sends, standby: silent, backup: true }, ownEncoder, joins(true)],
    [
      'only a working standby',
      { primary: null, standby: sends, backup: true },
      ownEncoder,
      publishes('primary'),
    ],
    [
      'no encoder: backup key',
      { primary: null, standby: null, backup: true },
      backupKey,
      publishes('standby'),
    ],
    ['a working primary: backup key', { primary: sends, standby: null, backup: true }, backupKey, joins()],
    ['a silent primary: backup key', { primary: silent, standby: null, backup: true }, backupKey, joins()],
    ['a working standby: backup key', { primary: null, standby: sends, backup: true }, backupKey, refusal],
    [
      'the test pattern: backup key',
      { primary: pattern, standby: null, backup: true },
      backupKey,
      publishes('standby'),
    ],
    ['a working primary: test pattern', { primary: sends, standby: null, backup: true }, testCard, refusal],
  ])('%s', (_name, encoders, newPublisher, place) => {
    expect(decidePlace(encoders, newPublisher)).toEqual(place);
  });
});

const allowedFacts: PublishFacts = {
  parentId: null,
  deletedAt: null,
  suspended: false,
  teamSuspended: false,
};

describe('publishRefusal', () => {
  test.each([
    [null, allowedFacts],
    ['deleted', { ...allowedFacts, deletedAt: new Date(0) }],
    ['child_stream', { ...allowedFacts, parentId: 'p' }],
    ['stream_suspended', { ...allowedFacts, suspended: true }],
    ['account_suspended', { ...allowedFacts, teamSuspended: true }],
    ['deleted', { parentId: 'p', deletedAt: new Date(0), suspended: true, teamSuspended: true }],
  ])('%s', (refusal, facts) => {
    expect(publishRefusal(facts)).toBe(refusal);
  });
});

describe('cutReason', () => {
  const publishedAt = new Date(10_000);

  test.each([
    ['never terminated', null, null],
    ['terminated before this publish', new Date(9_999), null],
    ['terminated after its start', new Date(10_001), 'terminated'],
  ])('%s', (_, lastTerminatedAt, reason) => {
    expect(cutReason({ ...allowedFacts, lastTerminatedAt, keyRotatedAt: null }, publishedAt)).toBe(reason);
  });

  test.each([
    ['changed before this publish', new Date(9_999), null],
    ['changed after its start', new Date(10_001), 'key_rotated'],
  ])('a key that was %s', (_, keyRotatedAt, reason) => {
    expect(cutReason({ ...allowedFacts, lastTerminatedAt: null, keyRotatedAt }, publishedAt)).toBe(reason);
  });

  test('reports first that publishing is no longer allowed', () => {
    const facts = {
      ...allowedFacts,
      suspended: true,
      lastTerminatedAt: new Date(20_000),
      keyRotatedAt: null,
    };
    expect(cutReason(facts, publishedAt)).toBe('stream_suspended');
  });
});
