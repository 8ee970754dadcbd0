import { describe, expect, it, test } from 'vitest';
import { TAKEOVER_SILENCE_MS, decideTakeover, rejectionOf } from './publish-admission';

test('the owner of a stream is told of its suspension; a stream that is gone has no owner', () => {
  expect(rejectionOf('suspended')?.reason).toBe('stream_suspended');
  expect(rejectionOf('account_suspended')?.reason).toBe('account_suspended');
  expect([rejectionOf('deleted'), rejectionOf('child_stream')]).toEqual([null, null]);
});

describe('decideTakeover', () => {
  it.each([
    ['media came just now', 0, 'refuse'],
    ['media came within three seconds', TAKEOVER_SILENCE_MS - 1, 'refuse'],
    ['silent for three seconds', TAKEOVER_SILENCE_MS, 'replace'],
    ['silent for long', 60_000, 'replace'],
  ] as const)('%s', (_name, silentMs, decision) => {
    expect(decideTakeover({ source: 'encoder', silentMs }, 'encoder')).toBe(decision);
    expect(decideTakeover({ source: 'encoder', silentMs }, 'test-pattern')).toBe(decision);
    expect(decideTakeover({ source: 'test-pattern', silentMs }, 'test-pattern')).toBe(decision);
  });

  it('admits where there is no publisher', () => {
    expect([decideTakeover(null, 'encoder'), decideTakeover(null, 'test-pattern')]).toEqual([
      'admit',
      'admit',
    ]);
  });

  it('replaces the test pattern by an encoder, however active it is', () => {
    expect(decideTakeover({ source: 'test-pattern', silentMs: 0 }, 'encoder')).toBe('replace');
  });
});
