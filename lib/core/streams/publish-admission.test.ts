import { describe, expect, it, test } from 'vitest';
import { TAKEOVER_SILENCE_MS, answerTakeover, decideTakeover, rejectionOf } from './publish-admission';

test('the owner of a stream is told of its suspension; a stream that is gone has no owner', () => {
  expect(rejectionOf('suspended')?.reason).toBe('stream_suspended');
  expect(rejectionOf('account_suspended')?.reason).toBe('account_suspended');
  expect([rejectionOf('deleted'), rejectionOf('child_stream')]).toEqual([null, null]);
});

test.each([
  ['its publisher sends', { source: 'encoder', silentMs: 0 }, false, 'refuse'],
  ['its publisher is silent', { source: 'encoder', silentMs: TAKEOVER_SILENCE_MS }, false, 'yield'],
  ['it publishes the test pattern', { source: 'test-pattern', silentMs: 0 }, false, 'yield'],
  ['its encoder is away', null, false, 'yield'],
  ['its playlist shows the end', null, true, 'wait'],
] as const)('another node that has the stream, when %s', (_name, present, ending, answer) => {
  expect(answerTakeover({ present, ending, draining: false }, 'encoder')).toBe(answer);
});

test('a node that drains lets every encoder have a stream elsewhere, but for one whose playlist shows its end', () => {
  const held = { present: { source: 'encoder', silentMs: 0 }, ending: false, draining: true } as const;
  expect(answerTakeover(held, 'encoder')).toBe('yield');
  expect(answerTakeover(held, 'test-pattern')).toBe('refuse');
  expect(answerTakeover({ ...held, ending: true }, 'encoder')).toBe('wait');
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
