import { describe, expect, test } from 'vitest';
import {
  formatLateFolderName,
  parseSpoolFolder,
  parseSpoolName,
  formatSpoolName,
  decideSpooledFiles,
} from './recording-spool';

describe('decideSpooledFiles', () => {
  test.each([
    ['none', 'live', 'wait', 'wait'],
    ['none', 'waiting', 'create-recording', 'wait'],
    ['recording', 'live', 'store', 'wait'],
    ['waiting', 'waiting', 'store', 'wait'],
    ['processing', 'ended', 'store', 'wait'],
    ['empty', 'ended', 'create-recording', 'wait'],
    ['importing', 'ended', 'move', 'move'],
    ['ready', 'ended', 'move', 'move'],
    ['failed', 'ended', 'move', 'move'],
    ['deleted', 'ended', 'delete', 'delete'],
  ] as const)(
    'recording %s, session %s: %s if held, otherwise %s',
    (recording, state, heldDecision, decision) => {
      expect(decideSpooledFiles({ recording, state, record: true }, true)).toBe(heldDecision);
      expect(decideSpooledFiles({ recording, state, record: true }, false)).toBe(decision);
    },
  );

  test.each([
    ['none', 'live', 'mark-for-dvr', 'wait'],
    ['none', 'waiting', 'mark-for-dvr', 'wait'],
    ['none', 'ended', 'delete', 'delete'],
    ['transient', 'live', 'store', 'wait'],
    ['transient', 'waiting', 'store', 'wait'],
    ['deleted', 'ended', 'delete', 'delete'],
  ] as const)(
    'not recorded, recording %s, session %s: %s if held, otherwise %s',
    (recording, state, heldDecision, decision) => {
      expect(decideSpooledFiles({ recording, state, record: false }, true)).toBe(heldDecision);
      expect(decideSpooledFiles({ recording, state, record: false }, false)).toBe(decision);
    },
  );

  test('the files of a session without a row are deleted', () => {
    expect(decideSpooledFiles(null, false)).toBe('delete');
  });
});

describe('spool names', () => {
  test('can be parsed again', () => {
    const name = { file: 'hls/r-0a/7-1_5_0_2000000_1_i.m4s', bytes: 1_234 };
    expect(parseSpoolName(formatSpoolName(name))).toEqual(name);
  });

  test.each(['.part-hls~x~1', 'hls~x', 'hls~x~', 'a/b~1', ''])(
    '%j is not parsed as the name of a file',
    (name) => {
      expect(parseSpoolName(name)).toBeNull();
    },
  );

  test('of a folder identify its session', () => {
    expect(parseSpoolFolder('a-1')).toEqual({ name: 'a-1', sessionId: 'a-1' });
    const late = formatLateFolderName('b-2', 'a-1');
    expect(parseSpoolFolder(late)).toEqual({ name: late, sessionId: 'b-2', lateOf: 'a-1' });
    expect(parseSpoolFolder('.x')).toBeNull();
  });
});
