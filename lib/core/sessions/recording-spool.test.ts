import { describe, expect, test } from 'vitest';
import { lateFolderName, parseSpoolFolder, parseSpoolName, spoolName, spoolVerdict } from './recording-spool';

describe('spoolVerdict', () => {
  test.each([
    ['none', 'live', 'wait', 'wait'],
    ['none', 'waiting', 'unheard', 'wait'],
    ['recording', 'live', 'store', 'wait'],
    ['waiting', 'waiting', 'store', 'wait'],
    ['processing', 'ended', 'store', 'wait'],
    ['empty', 'ended', 'unheard', 'wait'],
    ['importing', 'ended', 'late', 'late'],
    ['ready', 'ended', 'late', 'late'],
    ['failed', 'ended', 'late', 'late'],
    ['deleted', 'ended', 'gone', 'gone'],
  ] as const)('%s, %s: %s when held, otherwise %s', (recording, state, heldVerdict, free) => {
    expect(spoolVerdict({ recording, state, record: true }, true)).toBe(heldVerdict);
    expect(spoolVerdict({ recording, state, record: true }, false)).toBe(free);
  });

  test.each([
    ['none', 'live', 'unmarked', 'wait'],
    ['none', 'waiting', 'unmarked', 'wait'],
    ['none', 'ended', 'gone', 'gone'],
    ['transient', 'live', 'store', 'wait'],
    ['transient', 'waiting', 'store', 'wait'],
    ['deleted', 'ended', 'gone', 'gone'],
  ] as const)('not recorded, %s, %s: %s when held, otherwise %s', (recording, state, heldVerdict, free) => {
    expect(spoolVerdict({ recording, state, record: false }, true)).toBe(heldVerdict);
    expect(spoolVerdict({ recording, state, record: false }, false)).toBe(free);
  });

  test('a session without a row is gone', () => {
    expect(spoolVerdict(null, false)).toBe('gone');
  });
});

describe('spool names', () => {
  test('round-trip a file', () => {
    const name = { file: 'hls/r-0a/7-1_5_0_2000000_1_i.m4s', bytes: 1_234 };
    expect(parseSpoolName(spoolName(name))).toEqual(name);
  });

  test.each(['.part-hls~x~1', 'hls~x', 'hls~x~', 'a/b~1', ''])('%j is no spool file name', (name) => {
    expect(parseSpoolName(name)).toBeNull();
  });

  test('identify the session of a folder', () => {
    expect(parseSpoolFolder('a-1')).toEqual({ name: 'a-1', sessionId: 'a-1' });
    const late = lateFolderName('b-2', 'a-1');
    expect(parseSpoolFolder(late)).toEqual({ name: late, sessionId: 'b-2', lateOf: 'a-1' });
    expect(parseSpoolFolder('.x')).toBeNull();
  });
});
