import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutReason,
  streamMachine,
  publishRefusal,
  type PublishFacts,
  type StreamState,
} from './stream-state';

const started = 'stream.started';
const idle = 'stream.idle';

describe('the events of a stream', () => {
  test('started and idle alternate, and "active" is exactly the time between them', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...streamMachine.events), { maxLength: 60 }), (events) => {
        let state: StreamState = 'idle';
        let last: string = idle;
        for (const event of events) {
          const emits = streamMachine.emits(state, event);
          state = streamMachine.next(state, event) ?? state;
          if (emits) {
            expect(emits).not.toBe(last);
            last = emits;
          }
          expect(last === started).toBe(['active', 'interrupted', 'ending'].includes(state));
        }
      }),
    );
  });
});

const allowed: PublishFacts = { parentId: null, deletedAt: null, suspended: false, accountSuspended: false };

describe('publishRefusal', () => {
  test.each([
    [null, allowed],
    ['deleted', { ...allowed, deletedAt: new Date(0) }],
    ['child_stream', { ...allowed, parentId: 'p' }],
    ['suspended', { ...allowed, suspended: true }],
    ['account_suspended', { ...allowed, accountSuspended: true }],
    ['deleted', { parentId: 'p', deletedAt: new Date(0), suspended: true, accountSuspended: true }],
  ])('%s', (refusal, facts) => {
    expect(publishRefusal(facts)).toBe(refusal);
  });
});

describe('cutReason', () => {
  const publishedAt = new Date(10_000);

  test.each([
    ['never terminated', null, null],
    ['terminated before this publish', new Date(9_999), null],
    ['terminated after it began', new Date(10_001), 'terminated'],
  ])('%s', (_, lastTerminatedAt, reason) => {
    expect(cutReason({ ...allowed, lastTerminatedAt, keyRotatedAt: null }, publishedAt)).toBe(reason);
  });

  test.each([
    ['changed before this publish', new Date(9_999), null],
    ['changed after it began', new Date(10_001), 'key_rotated'],
  ])('a key that was %s', (_, keyRotatedAt, reason) => {
    expect(cutReason({ ...allowed, lastTerminatedAt: null, keyRotatedAt }, publishedAt)).toBe(reason);
  });

  test('names what is no longer allowed first', () => {
    const facts = { ...allowed, suspended: true, lastTerminatedAt: new Date(20_000), keyRotatedAt: null };
    expect(cutReason(facts, publishedAt)).toBe('suspended');
  });
});
