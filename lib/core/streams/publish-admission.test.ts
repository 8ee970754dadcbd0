import { describe, expect, it, test } from 'vitest';
import {
  TAKEOVER_SILENCE_MS,
  answerTakeover,
  decideTakeover,
  streamRejection,
  assignEncoder,
  cutReason,
  streamRejectionReason,
  type PublishFacts,
} from './publish-admission';

test('a suspension is reported on the stream, and a deleted stream reports nothing', () => {
  expect(streamRejection('stream_suspended')?.reason).toBe('stream_suspended');
  expect(streamRejection('account_suspended')?.reason).toBe('account_suspended');
  expect([streamRejection('deleted'), streamRejection('child_stream')]).toEqual([null, null]);
});

test.each([
  ['its publisher sends', { source: 'encoder', silentMs: 0 }, false, 'refuse'],
  ['its publisher is silent', { source: 'encoder', silentMs: TAKEOVER_SILENCE_MS }, false, 'yield'],
  ['it publishes the test pattern', { source: 'test-pattern', silentMs: 0 }, false, 'yield'],
  ['its encoder is away', null, false, 'yield'],
  ['its playlist shows the end', null, true, 'wait'],
] as const)('answerTakeover answers $3 for a stream if %s', (_name, publisher, ending, answer) => {
  expect(answerTakeover({ publisher, ending, draining: false }, 'encoder')).toBe(answer);
});

test('a draining node yields every stream to an encoder, except a stream whose playlist shows its end', () => {
  const heldStream = {
    publisher: { source: 'encoder', silentMs: 0 },
    ending: false,
    draining: true,
  } as const;
  expect(answerTakeover(heldStream, 'encoder')).toBe('yield');
  expect(answerTakeover(heldStream, 'test-pattern')).toBe('refuse');
  expect(answerTakeover({ ...heldStream, ending: true }, 'encoder')).toBe('wait');
});

describe('decideTakeover', () => {
  it.each([
    ['media came just now', 0, 'reject'],
    ['media came within three seconds', 2_999, 'reject'],
    ['silent for three seconds', 3_000, 'replace'],
    ['silent for long', 60_000, 'replace'],
  ] as const)('decides $2 about the current publisher: %s', (_name, silentMs, decision) => {
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

  it('replaces an active test pattern with an encoder', () => {
    expect(decideTakeover({ source: 'test-pattern', silentMs: 0 }, 'encoder')).toBe('replace');
  });
});

describe('assignEncoder', () => {
  const activeEncoder = { source: 'encoder', silentMs: 100 } as const;
  const silentEncoder = { source: 'encoder', silentMs: 3_000 } as const;
  const activeTestPattern = { source: 'test-pattern', silentMs: 100 } as const;
  const newEncoder = { source: 'encoder', isBackup: false } as const;
  const encoderWithBackupKey = { source: 'encoder', isBackup: true } as const;
  const newTestPattern = { source: 'test-pattern', isBackup: false } as const;
  const publishes = (role: 'primary' | 'standby', replaces = false) => ({ kind: 'publish', role, replaces });
  const joins = (replaces = false) => ({ kind: 'join', role: 'standby', replaces });
  const rejection = { kind: 'reject' };

  it.each([
    ['no encoder', { primary: null, standby: null, backup: false }, newEncoder, publishes('primary')],
    [
      'a working primary, backup disabled',
      { primary: activeEncoder, standby: null, backup: false },
      newEncoder,
      rejection,
    ],
    ['a working primary', { primary: activeEncoder, standby: null, backup: true }, newEncoder, joins()],
    [
      'a silent primary',
      { primary: silentEncoder, standby: null, backup: true },
      newEncoder,
      publishes('primary', true),
    ],
    [
      'two working encoders',
      { primary: activeEncoder, standby: activeEncoder, backup: true },
      newEncoder,
      rejection,
    ],
    [
      'a silent standby',
      { primary: activeEncoder, standby: silentEncoder, backup: true },
      newEncoder,
      joins(true),
    ],
    [
      'only a working standby',
      { primary: null, standby: activeEncoder, backup: true },
      newEncoder,
      publishes('primary'),
    ],
    [
      'no encoder: backup key',
      { primary: null, standby: null, backup: true },
      encoderWithBackupKey,
      publishes('standby'),
    ],
    [
      'a working primary: backup key',
      { primary: activeEncoder, standby: null, backup: true },
      encoderWithBackupKey,
      joins(),
    ],
    [
      'a silent primary: backup key',
      { primary: silentEncoder, standby: null, backup: true },
      encoderWithBackupKey,
      joins(),
    ],
    [
      'a working standby: backup key',
      { primary: null, standby: activeEncoder, backup: true },
      encoderWithBackupKey,
      rejection,
    ],
    [
      'the test pattern: backup key',
      { primary: activeTestPattern, standby: null, backup: true },
      encoderWithBackupKey,
      publishes('standby'),
    ],
    [
      'a working primary: test pattern',
      { primary: activeEncoder, standby: null, backup: true },
      newTestPattern,
      rejection,
    ],
  ])('assigns $3 to an encoder beside %s', (_name, encoders, newPublisher, assignment) => {
    expect(assignEncoder(encoders, newPublisher)).toEqual(assignment);
  });
});

const allowedFacts: PublishFacts = {
  parentId: null,
  deletedAt: null,
  suspended: false,
  teamSuspended: false,
};

describe('streamRejectionReason', () => {
  test.each([
    [null, allowedFacts],
    ['deleted', { ...allowedFacts, deletedAt: new Date(0) }],
    ['child_stream', { ...allowedFacts, parentId: 'p' }],
    ['stream_suspended', { ...allowedFacts, suspended: true }],
    ['account_suspended', { ...allowedFacts, teamSuspended: true }],
    ['deleted', { parentId: 'p', deletedAt: new Date(0), suspended: true, teamSuspended: true }],
  ])('is %s for the facts %j', (rejection, facts) => {
    expect(streamRejectionReason(facts)).toBe(rejection);
  });
});

describe('cutReason', () => {
  const publishedAt = new Date(10_000);

  test.each([
    ['never terminated', null, null],
    ['terminated before this publish', new Date(9_999), null],
    ['terminated after its start', new Date(10_001), 'terminated'],
  ])('of a stream that was %s', (_, lastTerminatedAt, reason) => {
    expect(cutReason({ ...allowedFacts, lastTerminatedAt, keyRotatedAt: null }, publishedAt)).toBe(reason);
  });

  test.each([
    ['changed before this publish', new Date(9_999), null],
    ['changed after its start', new Date(10_001), 'key_rotated'],
  ])('of a stream whose key was %s', (_, keyRotatedAt, reason) => {
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
